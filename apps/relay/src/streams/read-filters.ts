import type { ChannelDefinition, ChannelFilter, FieldError } from '@tabletop-relay/contract';
import { shorten } from '@tabletop-relay/contract';
import { invalidFields } from '../problem.ts';
import type { FilterValues } from './event-filter.ts';

/** The parameters of every stream that are no filters. */
const others = ['clientId'];

const maxLength = 1_024;
const maxNames = 100;

/** Reads the filters of a stream from its query. Throws `invalid_request` that names each field which cannot be read. */
export function readFilters({ filters }: Pick<ChannelDefinition, 'filters'>, query: unknown): FilterValues {
  const given = query as Readonly<Record<string, unknown>>;
  const errors: FieldError[] = [];
  const values: Record<string, FilterValues[string]> = {};
  const refuse = (field: string, message: string) => errors.push({ field, place: 'query', message });
  for (const field of Object.keys(given)) {
    if (others.includes(field)) continue;
    const filter = Object.hasOwn(filters, field) ? filters[field] : undefined;
    if (!filter) {
      const known = [...Object.keys(filters), 'clientId'].map((name) => `\`${name}\``).join(', ');
      refuse(shorten(field), `is unknown; known are ${known}`);
      continue;
    }
    const value = readValue(filter, given[field]);
    if (value === undefined) refuse(field, messages[filter.type]);
    else values[field] = value;
  }
  for (const [field, { required }] of Object.entries(filters)) {
    if (required && !Object.hasOwn(given, field)) refuse(field, 'is missing');
  }
  if (errors.length > 0) throw invalidFields(errors.slice(0, 20));
  return values;
}

const messages = {
  text: `must be a text of 1 to ${maxLength} characters, given once`,
  integer: 'must be a whole number, given once',
  names: `must be 1 to ${maxNames} names with commas between them, given once`,
} as const satisfies Record<ChannelFilter['type'], string>;

function readValue({ type }: ChannelFilter, value: unknown): FilterValues[string] | undefined {
  if (typeof value !== 'string' || value === '' || value.length > maxLength * 4) return undefined;
  if (type === 'integer') return /^-?\d{1,15}$/.test(value) ? Number(value) : undefined;
  if (type === 'text') return value.length <= maxLength ? value : undefined;
  const names = value.split(',').map((name) => name.trim());
  return names.length <= maxNames && names.every((name) => name !== '') ? names : undefined;
}
