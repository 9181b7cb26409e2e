import {
  channels,
  flagOf,
  listOperations,
  operationGroups,
  scopeNames,
  wordsOf,
} from '@tabletop-relay/contract';
import type {
  ChannelDefinition,
  ChannelFilter,
  Operation,
  OperationGroup,
  ParameterOptions,
} from '@tabletop-relay/contract';
import { alternatives, operations } from '@tabletop-relay/contract';
import { rowOf } from '../../sdk/generator/sdk-tables.ts';
import { indent, literal, propertyName } from '../../sdk/generator/type-text.ts';
import type { ChannelRow, FlagRow, OperationCommand } from '../src/arguments/table.ts';

/** The parts of a schema that a flag follows from. */
interface FlagSchema extends ParameterOptions {
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly FlagSchema[];
  items?: FlagSchema;
  description?: string;
  default?: unknown;
}

/** What the command line knows of the contract: a table in place of schemas. */
export function cliTable(): Record<string, string> {
  const groups = Object.values<OperationGroup>(operationGroups);
  const rows = groups.map(
    (group) =>
      `${group.name}: {\n${indent(`title: ${literal(group.title)},\noperations: () => ({\n${indent(operationRows(group))}\n}),`)}\n},`,
  );
  const followed = Object.entries<ChannelDefinition>(channels).map(
    ([name, channel]) => `${propertyName(name)}: ${valueText(channelRow(channel))},`,
  );
  return {
    'packages/cli/src/generated/commands.ts': `/* oxlint-disable max-lines, max-lines-per-function -- Generated from packages/contract/src by \`pnpm docs:generate\`; a test compares it. */

import type { ChannelRow, GroupRow } from '../arguments/table.ts';

/** Every operation by group and name. A group's rows are made when they are asked for: help shall not wait for them. */
export const groups: Readonly<Record<string, GroupRow>> = {\n${indent(rows.join('\n'))}\n};

/** The group of each operation. */
export const groupOf: Readonly<Record<string, string>> = {\n${indent(
      operations.map(({ name, group }) => `${propertyName(name)}: ${literal(group)},`).join('\n'),
    )}\n};

/** The channels that \`listen\` follows. */
export const channels: Readonly<Record<string, ChannelRow>> = {\n${indent(followed.join('\n'))}\n};

/** Every scope, and whether \`login\` asks for it where none is named: those are left out that reach beyond a user of the world. */
export const scopes: Readonly<Record<string, boolean>> = {\n${indent(
      scopeNames
        .map((name) => `${propertyName(name)}: ${wordsOf(name).beyondUsers ? 'false' : 'true'},`)
        .join('\n'),
    )}\n};
`,
  };
}

const operationRows = (group: OperationGroup): string =>
  listOperations(group)
    .map((operation) => `${propertyName(operation.name)}: ${valueText(commandOf(operation))},`)
    .join('\n');

/** One operation as a command. */
function commandOf(operation: Operation): OperationCommand {
  const { summary, description, scope, effect, bodyBytes } = operation;
  const rules = rulesOf(operation);
  return {
    summary,
    ...(description ? { description } : {}),
    scope,
    ...(effect ? { effect } : {}),
    request: rowOf(operation),
    flags: Object.entries(operation.parameters as Record<string, FlagSchema>).map(([name, schema]) =>
      parameterRow(name, schema, bodyBytes?.parameter === name),
    ),
    ...(rules.length > 0 ? { rules } : {}),
  };
}

function rulesOf({ identifiedBy = [], prefers = [], needsOneOf }: Operation): string[] {
  const named = (names: readonly string[]) => names.map((name) => `--${flagOf(name)}`).join(', ');
  const inFlags = (text: string) => text.replaceAll(/`(\w+)`/g, (_, name: string) => `--${flagOf(name)}`);
  return [
    ...identifiedBy.map(
      (names) => `One of ${inFlags(alternatives(names))} is needed; of several the first counts.`,
    ),
    ...prefers.map((names) => `Of ${named(names)} the first that is given counts.`),
    ...(needsOneOf ? [`At least one of ${named(needsOneOf)} is needed.`] : []),
  ];
}

function parameterRow(parameter: string, schema: FlagSchema, isFile: boolean): FlagRow {
  const isOptional = '~optional' in schema;
  return {
    flag: flagOf(parameter),
    parameter,
    ...shapeOf(schema),
    ...(isOptional ? {} : { isRequired: true }),
    ...(schema.description ? { description: schema.description } : {}),
    ...(schema.default === undefined ? {} : { preset: JSON.stringify(schema.default) }),
    ...(isFile ? { from: 'file' as const } : fromOf(schema)),
  };
}

function fromOf({ unlogged, type }: FlagSchema): Pick<FlagRow, 'from'> {
  if (type !== 'string' || unlogged === undefined) return {};
  return { from: unlogged };
}

/** Throws at a shape that no flag can give. */
function shapeOf(schema: FlagSchema): Pick<FlagRow, 'type' | 'choices' | 'or' | 'byCommas'> {
  const { type, anyOf, items } = schema;
  const choices = choicesOf(schema);
  if (choices) return { type: 'text', choices };
  if (type === 'array' && items && isText(items)) {
    const each = choicesOf(items);
    return {
      type: 'texts',
      ...(each ? { choices: each } : {}),
      ...(schema.byCommas ? { byCommas: true as const } : {}),
    };
  }
  if (type === 'array' || type === 'object') return { type: 'json' };
  if (type === 'integer' || type === 'number') return { type: 'number' };
  if (type === 'boolean') return { type: 'flag' };
  if (type === 'string') return { type: 'text' };
  if (anyOf?.some(isText)) return { type: 'text', or: anyOf.filter((one) => !isText(one)).map(kindOf) };
  if (anyOf) return { type: 'json' };
  throw new Error(`No flag is known for ${JSON.stringify(schema)}`);
}

const isText = ({ type, enum: words }: FlagSchema): boolean => type === 'string' || words !== undefined;

function choicesOf({ enum: words, anyOf }: FlagSchema): string[] | undefined {
  if (words) return words.map(String);
  return anyOf?.every((one) => one.const !== undefined) ? anyOf.map((one) => String(one.const)) : undefined;
}

const kindOf = ({ type }: FlagSchema): 'array' | 'object' | 'number' =>
  type === 'array' || type === 'object' ? type : 'number';

function channelRow({ summary, description, filters, events }: ChannelDefinition): ChannelRow {
  return {
    summary,
    ...(description ? { description } : {}),
    flags: Object.entries<ChannelFilter>(filters).map(([name, { type, description: says }]) => ({
      flag: flagOf(name),
      parameter: name,
      type: ({ text: 'text', integer: 'number', names: 'texts', flag: 'flag' } as const)[type],
      ...(type === 'names' ? { byCommas: true as const } : {}),
      description: says,
    })),
    events: Object.keys(events),
  };
}

/** A value as the formatter does not need to see it: generated files are not formatted. */
function valueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return literal(value);
  const fields = Object.entries(value).map(([name, field]) => `${propertyName(name)}: ${valueText(field)}`);
  return `{ ${fields.join(', ')} }`;
}
