import type { ChannelDefinition, ChannelFilter } from '@tabletop-relay/contract';

/** The values that a caller gave for the filters of a channel, by name. */
export type FilterValues = Readonly<Record<string, string | number | true | readonly string[]>>;

/** Whether an event passes. */
export type EventFilter = (name: string, data: Readonly<Record<string, unknown>>) => boolean;

/** Undefined where everything passes: then no event needs to be parsed. */
export function createEventFilter(
  { filters }: Pick<ChannelDefinition, 'filters'>,
  values: FilterValues,
): EventFilter | undefined {
  const tests = Object.entries(values).map(([name, value]) =>
    createTest(filters[name] as ChannelFilter, value),
  );
  if (tests.length === 0) return undefined;
  return (name, data) => tests.every((test) => test(name, data));
}

function createTest({ type, matches, exempt = [] }: ChannelFilter, value: FilterValues[string]): EventFilter {
  const wanted = new Set([value].flat().map(String));
  const paths = matches.map((path) => path.split('.'));
  const agrees = (found: unknown): boolean =>
    type === 'flag' ? Array.isArray(found) && found.length > 0 : wanted.has(textOf(found));
  return (name, data) => exempt.includes(name) || paths.some((path) => agrees(valueAt(data, path)));
}

function valueAt(data: unknown, path: readonly string[]): unknown {
  let value = data;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** A text or number as text; no text that a caller could ask for where it is neither. */
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
