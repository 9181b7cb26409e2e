import {
  channels,
  ClientList,
  endpoints,
  errors,
  eventFacts,
  listOperations,
  operationGroups,
  Problem,
  scopeNames,
  streamEvents,
} from '@tabletop-relay/contract';
import type { ChannelDefinition, Endpoint, Operation, OperationGroup } from '@tabletop-relay/contract';
import type { Field, TypedSchema } from '../type-text.ts';
import {
  docstring,
  literalOf,
  pascalCase,
  pythonFields,
  pythonFile,
  pythonType,
  typedDict,
} from './python-text.ts';
import type { Declarations } from './python-text.ts';

/** `tabletop_relay/types.py`: what operations take and answer, events, and the words of the contract. */
export function pythonTypes(): string {
  const operations = Object.values<OperationGroup>(operationGroups).flatMap(listOperations);
  const declared = operations.flatMap(typesOf);
  const abstract = ['Mapping', 'Sequence'].filter((name) =>
    declared.some((text) => text.includes(`${name}[`)),
  );
  return pythonFile(
    'packages/contract/src',
    'Types of what a relay takes and answers. An answer may have further fields; nothing is checked when a program runs.',
    abstract.map((name) => `from collections.abc import ${name}\n`).join('') +
      'from typing import Any, Literal, NotRequired, TypedDict',
    alias('ErrorCode', Object.keys(errors), 'The code of a failure that the relay answers.'),
    alias('Scope', scopeNames, 'What a key may be allowed.'),
    alias('Channel', Object.keys(channels), 'A kind of events that callers can follow.'),
    ...record(
      'Problem',
      'A failure as the relay answers it (RFC 9457); some codes add fields.',
      Problem as TypedSchema,
    ),
    ...record('ClientList', 'The worlds that a key may see.', ClientList),
    ...record('StreamTicket', 'Opens one stream in place of a key.', answerOf(endpoints.createStreamTicket)),
    ...eventTypes(),
    ...declared,
  );
}

/** The type of a parameter, and the declarations that it needs. */
export function parameterType(operation: Operation, parameter: string, to: Declarations): string {
  const schema = operation.parameters[parameter] as TypedSchema;
  return pythonType(schema, pascalCase(operation.name) + pascalCase(parameter), to);
}

export const answerName = ({ name }: Operation): string => `${pascalCase(name)}Answer`;

export const eventName = (channel: string): string => `${pascalCase(channel)}Event`;

function typesOf(operation: Operation): string[] {
  const given: Declarations = { side: 'given', lines: [] };
  for (const parameter of Object.keys(operation.parameters)) parameterType(operation, parameter, given);
  // A file is its bytes.
  if (operation.resultBytes) return given.lines;
  const name = answerName(operation);
  const answered: Declarations = { side: 'answered', lines: [] };
  const fields: Field[] = [
    { name: 'type', type: literalOf([`${operation.name}-result`]) },
    { name: 'requestId', type: 'str' },
    ...pythonFields(operation.result, name, answered),
  ];
  const says = `What a world answers to \`${operation.name}\`.`;
  return [...given.lines, ...answered.lines, typedDict(name, says, fields)];
}

function record(name: string, says: string, schema: TypedSchema): string[] {
  const to: Declarations = { side: 'answered', lines: [] };
  const fields = pythonFields(schema, name, to);
  return [...to.lines, typedDict(name, says, fields)];
}

const answerOf = ({ answer }: Endpoint): TypedSchema => answer as TypedSchema;

function alias(name: string, values: readonly string[], says: string): string {
  const lines = values.map((value) => `    ${JSON.stringify(value)},`);
  return `${name} = Literal[\n${lines.join('\n')}\n]\n${docstring(says)}`;
}

function eventTypes(): string[] {
  const ofTheRelay = Object.entries(streamEvents).flatMap(([name, { meaning, data }]) => [
    typedDict(`${pascalCase(name)}Data`, undefined, fieldsOf(data)),
    eventType(eventName(name), meaning, literalOf([name]), `${pascalCase(name)}Data`),
  ]);
  const names = Object.keys(streamEvents).map(eventName);
  const ofWorlds = Object.entries<ChannelDefinition>(channels).flatMap(([name, channel]) => {
    const { data, events, named, summary } = channel;
    const fields = fieldsOf({ ...data, ...eventFacts }).map((field) =>
      field.name === 'channel' ? { ...field, type: literalOf([name]) } : field,
    );
    // A module names its hooks itself, and may send names of other channels that are not known here.
    const known = named.prefix === '' && named.field !== undefined ? 'str' : literalOf(Object.keys(events));
    const world = `${pascalCase(name)}WorldEvent`;
    return [
      typedDict(`${pascalCase(name)}Data`, undefined, fields),
      eventType(world, `An event of a world: ${summary.toLowerCase()}.`, known, `${pascalCase(name)}Data`),
      `${eventName(name)} = RelayEvent | ${world}\n${docstring(`Any event of the stream \`${name}\`; \`event\` tells which.`)}`,
    ];
  });
  return [
    ...ofTheRelay,
    `RelayEvent = ${names.join(' | ')}\n${docstring('An event that the relay itself sends on any stream.')}`,
    ...ofWorlds,
  ];
}

const eventType = (name: string, says: string, event: string, data: string): string =>
  typedDict(name, says, [
    { name: 'event', type: event },
    { name: 'id', type: 'str | None', description: 'What a later stream continues after.' },
    { name: 'data', type: data },
  ]);

/** The fields of an event: `text?` may be absent or null. */
const fieldsOf = (data: Readonly<Record<string, string>>): Field[] =>
  Object.entries(data).map(([name, written]) => {
    const isOptional = written.endsWith('?');
    const type = eventTypesOf[written.replace('?', '')] ?? 'Any';
    return { name, type: isOptional && type !== 'Any' ? `${type} | None` : type, isOptional };
  });

const eventTypesOf: Record<string, string> = {
  text: 'str',
  texts: 'list[str]',
  number: 'float',
  flag: 'bool',
  list: 'list[Any]',
  object: 'dict[str, Any]',
};
