import {
  callFormOf,
  channels,
  defaultTimeoutMs,
  listOperations,
  operationGroups,
} from '@tabletop-relay/contract';
import type { ChannelDefinition, ChannelFilter, Operation, OperationGroup } from '@tabletop-relay/contract';
import type { TypedSchema } from '../type-text.ts';
import { docstring, indentBy, pascalCase, pythonFile, pythonUnion, checkedName } from './python-text.ts';
import { answerName, eventName, parameterType } from './python-types.ts';

/** `tabletop_relay/_async_operations.py`: a method for each operation and each channel. */
export function pythonMethods(): string {
  const groups = Object.values<OperationGroup>(operationGroups);
  const fields = groups.map(({ name }) => `self.${checkedName(name)} = ${className(name)}(call)`);
  return pythonFile(
    'packages/contract/src/operations',
    'A method for each operation and each channel.',
    `from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, cast

if TYPE_CHECKING:
    from typing import Unpack

    from . import types as _types
    from ._async import AsyncEventStream
    from ._options import CallOptions, CommandOptions, StreamOptions
    from ._requests import RelayFile

Call = Callable[..., Awaitable[Any]]
Follow = Callable[[str, Sequence[tuple[str, object]], Mapping[str, Any]], Any]`,
    ...groups.map(groupClass),
    `class AsyncOperations:
    """The operations of a relay by their groups."""

    def __init__(self, call: Call) -> None:
${indentBy(8, fields.join('\n'))}`,
    eventsClass(),
  );
}

const className = (group: string): string => `Async${pascalCase(group)}Methods`;

/** The methods of one group. */
function groupClass(group: OperationGroup): string {
  return `class ${className(group.name)}:
${indentBy(4, docstring(`${group.title}.`))}

    __slots__ = ("_call",)

    def __init__(self, call: Call) -> None:
        self._call = call

${indentBy(4, listOperations(group).map(operationMethod).join('\n\n'))}`;
}

function operationMethod(operation: Operation): string {
  const { name, kind, summary, description = '', scope, resultBytes } = operation;
  const parameters = Object.entries(operation.parameters as Record<string, TypedSchema>).map(
    ([wireName, schema]) => argumentOf(operation, wireName, schema),
  );
  // What must be given stands first, as a reader expects it; all are given by name.
  const given = [
    ...parameters.filter((one) => !one.isOptional),
    ...parameters.filter((one) => one.isOptional),
  ];
  const options = kind === 'command' ? 'CommandOptions' : 'CallOptions';
  const answer = resultBytes ? 'RelayFile' : `_types.${answerName(operation)}`;
  const meanings = parameters.filter(({ says }) => says).map((one) => `${one.name}: ${one.says}`);
  const says = [`${summary}. ${description}`.trim() + ` Scope \`${scope}\`.`, ...meanings];
  const fields = parameters.map((one) => `${JSON.stringify(one.wireName)}: ${one.name},`);
  return `async def ${checkedName(name)}(
    self,
${given.length > 0 ? `    *,\n${given.map((one) => `    ${one.text},\n`).join('')}` : ''}    **options: Unpack[${options}],
) -> ${answer}:
${indentBy(4, methodDocstring(says))}
    answer = await self._call(
${indentBy(8, callArguments(operation, fields).join('\n'))}
    )
    return cast("${answer}", answer)`;
}

function methodDocstring([first = '', ...meanings]: readonly string[]): string {
  if (meanings.length === 0) return docstring(first);
  const inside = (line: string) => docstring(line).slice(3, -3);
  return `"""${inside(first)}\n\n${meanings.map(inside).join('\n')}\n"""`;
}

function callArguments(operation: Operation, fields: readonly string[]): string[] {
  const { method, path, inQuery = [], inBody = [], rawBody } = callFormOf(operation);
  const { kind, timeoutMs, resultBytes } = operation;
  const tuple = (names: readonly string[]) =>
    `(${names.map((name) => `${JSON.stringify(name)},`).join(' ')})`;
  return [
    `"${method}",`,
    `"${path}",`,
    fields.length > 0 ? `{\n${indentBy(4, fields.join('\n'))}\n},` : '{},',
    'cast("Mapping[str, Any]", options),',
    ...(inQuery.length > 0 ? [`in_query=${tuple(inQuery)},`] : []),
    ...(inBody.length > 0 ? [`in_body=${tuple(inBody)},`] : []),
    ...(rawBody ? [`raw_body="${rawBody}",`] : []),
    ...(timeoutMs === defaultTimeoutMs ? [] : [`seconds=${(timeoutMs / 1000).toFixed(1)},`]),
    ...(kind === 'query' && method !== 'GET' ? ['is_query=True,'] : []),
    ...(resultBytes ? ['is_file=True,'] : []),
  ];
}

/** Names that options of a call have. */
const taken = new Set(['client_id', 'user_id', 'timeout', 'idempotency_key']);

function argumentOf(operation: Operation, wireName: string, schema: TypedSchema) {
  const name = checkedName(wireName);
  if (taken.has(name))
    throw new Error(`The parameter ${wireName} of ${operation.name} has the name of an option`);
  const isOptional = '~optional' in schema;
  const type = parameterType(operation, wireName, { side: 'given', lines: [] }).replaceAll(
    // Objects have their types in `types.py`.
    new RegExp(String.raw`\b${pascalCase(operation.name)}${pascalCase(wireName)}\w*`, 'g'),
    '_types.$&',
  );
  const taking =
    operation.bodyBytes?.parameter === wireName ? pythonUnion([type, 'bytes | bytearray']) : type;
  const written = isOptional ? `${name}: ${pythonUnion([taking, 'None'])} = None` : `${name}: ${taking}`;
  return { name, wireName, isOptional, text: written, says: schema.description };
}

function eventsClass(): string {
  const methods = Object.entries<ChannelDefinition>(channels).map(([name, channel]) => {
    const filters = Object.entries(channel.filters).map(([wireName, filter]) => ({
      name: checkedName(wireName),
      text: `${checkedName(wireName)}: ${filterType(filter)} | None = None`,
      pair: `(${JSON.stringify(wireName)}, ${checkedName(wireName)})`,
      says: filter.description,
    }));
    const says = [
      `${channel.summary}. ${channel.description ?? ''}`.trim(),
      ...filters.map((filter) => `${filter.name}: ${filter.says}`),
    ];
    const event = `AsyncEventStream[_types.${eventName(name)}]`;
    return `def ${checkedName(name)}(
    self,
    *,
${filters.map(({ text }) => `    ${text},\n`).join('')}    **options: Unpack[StreamOptions],
) -> ${event}:
${indentBy(4, methodDocstring(says))}
    filters = (${filters.map(({ pair }) => `${pair},`).join(' ')})
    stream = self._follow("${channel.path}", filters, cast("Mapping[str, Any]", options))
    return cast("${event}", stream)`;
  });
  return `class AsyncEvents:
    """A method for each channel; each answer is one stream."""

    __slots__ = ("_follow",)

    def __init__(self, follow: Follow) -> None:
        self._follow = follow

${indentBy(4, methods.join('\n\n'))}`;
}

const filterType = ({ type }: ChannelFilter): string =>
  ({ text: 'str', integer: 'int', names: 'Sequence[str]', flag: 'bool' })[type];
