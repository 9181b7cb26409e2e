import type { ChannelDefinition, ChannelFilter, FieldError } from '@tabletop-relay/contract';
import { channels, faultOfUnknown, knownName, shorten } from '@tabletop-relay/contract';
import { invalidFields } from '../problem.ts';
import type { FilterValues } from './events/event-filter.ts';
import { resumeNames } from './resume-id.ts';

/** The parameters of every stream that are no filters. */
const others: readonly string[] = ['clientId', ...resumeNames];

/** The filters of the streams that share one list of parameters. */
const shared: ReadonlySet<string> = new Set(
  [channels.hooks, channels.combat, channels.actor, channels.scene].flatMap(({ filters }) =>
    Object.keys(filters),
  ),
);

const maxLength = 1_024;
const maxNames = 100;

/** What a caller narrows a stream by, and the names in its query that stand for nothing there. */
export interface FilterReading {
  filters: FilterValues;
  ignored: readonly string[];
}

/** The query of a stream for filters that came as JSON, and for the world that was named beside them. Throws `invalid_request`. */
export function queryOf(filters: unknown, clientId: unknown): Record<string, unknown> {
  if (typeof filters !== 'object' || filters === null || Array.isArray(filters))
    throw invalidFields([{ field: 'filters', message: 'must be an object' }]);
  if (Object.hasOwn(filters, 'clientId'))
    throw invalidFields([{ field: 'filters', message: 'must not name the world: it stands beside them' }]);
  const texts = Object.entries(filters).map(([name, value]) => [name, textOf(name, value)]);
  return { ...Object.fromEntries(texts), ...(clientId === undefined ? {} : { clientId }) };
}

/** A value as it would stand in a query: others would become texts that no event has. */
function textOf(name: string, value: unknown): string {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  if (values.every((one) => ['string', 'number', 'boolean'].includes(typeof one))) return values.join(',');
  throw invalidFields([
    { field: shorten(name), message: 'must be a text, a number, true or false, or a list of these' },
  ]);
}

type Channel = Pick<ChannelDefinition, 'filters'>;

/** Reads the filters of a stream from its query. Throws `invalid_request` that names each field which cannot be read. */
export function readFilters({ filters }: Channel, query: unknown): FilterReading {
  const given = query as Readonly<Record<string, unknown>>;
  const named = byEachName(filters);
  const names = {
    shownNames: [...Object.keys(filters), 'clientId'],
    knownNames: [...named.keys(), ...others].map((name) => knownName(name, named.get(name)?.name ?? name)),
    refusesUnknown: false,
  };
  const errors: FieldError[] = [];
  const values = new Map<string, FilterValues[string] | null>();
  const ignored: string[] = [];
  const refuse = (field: string, message: string) => errors.push({ field, place: 'query', message });
  for (const field of Object.keys(given)) {
    if (others.includes(field)) continue;
    const known = named.get(field);
    if (!known) {
      const fault = shared.has(field) ? undefined : faultOfUnknown(names, field);
      if (fault === undefined) ignored.push(field);
      else refuse(shorten(field), fault);
      continue;
    }
    const value = readValue(known.filter, given[field]);
    if (value === undefined) refuse(field, messages[known.filter.type]);
    else if (values.has(known.name) && String(values.get(known.name)) !== String(value))
      refuse(field, `must equal \`${known.name}\`: they are two names of one filter`);
    else values.set(known.name, value);
  }
  if (errors.length > 0) throw invalidFields(errors.slice(0, 20));
  const narrowing = [...values].flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
  return { filters: Object.fromEntries(narrowing), ignored };
}

/** The filters of a stream by their names and by those that programs of another relay write. */
function byEachName(filters: Channel['filters']) {
  return new Map(
    Object.entries(filters).flatMap(([name, filter]) =>
      [name, filter.alias ?? name].map((each) => [each, { name, filter }] as const),
    ),
  );
}

const messages = {
  text: `must be a text of 1 to ${maxLength} characters, given once`,
  integer: 'must be a whole number, given once',
  names: `must be 1 to ${maxNames} names with commas between them, given once`,
  flag: 'must be true or false, given once',
} as const satisfies Record<ChannelFilter['type'], string>;

/** The value of a filter; null where it lets everything pass, undefined where it cannot be read. */
function readValue(
  { type, everything }: ChannelFilter,
  value: unknown,
): FilterValues[string] | null | undefined {
  if (typeof value !== 'string' || value === '' || value.length > maxLength * 4) return undefined;
  if (value === everything) return null;
  if (type === 'flag')
    return /^(true|1)$/i.test(value) ? true : /^(false|0)$/i.test(value) ? null : undefined;
  if (type === 'integer') return /^-?\d{1,15}$/.test(value) ? Number(value) : undefined;
  if (type === 'text') return value.length <= maxLength ? value : undefined;
  const names = value.split(',').map((name) => name.trim());
  return names.length <= maxNames && names.every((name) => name !== '') ? names : undefined;
}
