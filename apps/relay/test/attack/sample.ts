import type { Random } from '@tabletop-relay/testing';
import type { Schema } from './matrix/routes.ts';

/** Values for fields whose rule no schema can say; `undefined` leaves it to the schema. */
export type Known = (field: string, random: Random) => unknown;

/** A value that fits the schema: with some of what is optional. */
export function sample(schema: Schema, random: Random, known: Known, field = ''): unknown {
  const value = known(field, random);
  if (value !== undefined) return value;
  if (schema.examples && schema.examples.length > 0) return random.pick(schema.examples);
  if (schema.enum) return random.pick(schema.enum);
  if ('const' in schema) return schema.const;
  if (schema.anyOf) return sample(random.pick(schema.anyOf), random, known, field);
  switch (Array.isArray(schema.type) ? random.pick(schema.type) : schema.type) {
    case 'object':
      return sampleObject(schema, random, known);
    case 'array':
      return sampleList(schema, random, known, field);
    case 'integer':
    case 'number':
      return sampleNumber(schema, random);
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    case 'string':
      return sampleText(schema, random);
    default:
      return random.pick(['x', 1, true, null]);
  }
}

function sampleObject(schema: Schema, random: Random, known: Known): Record<string, unknown> {
  const required = new Set(schema.required);
  const names = Object.keys(schema.properties ?? {});
  const least = schema.minProperties ?? 0;
  const chosen = names.filter((name) => required.has(name) || random.chance(0.5));
  for (const name of names) if (chosen.length < least && !chosen.includes(name)) chosen.push(name);
  return Object.fromEntries(
    chosen.map((name) => [name, sample(schema.properties?.[name] ?? {}, random, known, name)]),
  );
}

function sampleList(schema: Schema, random: Random, known: Known, field: string): unknown[] {
  const length = Math.min(schema.maxItems ?? 3, (schema.minItems ?? 0) + random.integer(3));
  return Array.from({ length }, () => sample(schema.items ?? {}, random, known, `${field}[]`));
}

function sampleNumber({ minimum = 0, maximum = 2 ** 31 - 1 }: Schema, random: Random): number {
  return random.pick([minimum, maximum, minimum + random.integer(Math.min(1000, maximum - minimum + 1))]);
}

const texts = [
  'x',
  'Actor.a',
  'a@example.org',
  '2099-01-01T00:00:00.000Z',
  'A'.repeat(43),
  'clients:read',
  'text/plain',
  'data:;base64,QQ==',
];

function sampleText({ minLength = 0, maxLength = 100, pattern, format }: Schema, random: Random): string {
  if (format === 'date-time') return '2099-01-01T00:00:00.000Z';
  if (pattern !== undefined) return texts.find((text) => new RegExp(pattern, 'u').test(text)) ?? 'x';
  const length = Math.max(minLength, Math.min(maxLength, 1 + random.integer(12)));
  return Array.from({ length }, () => random.pick(['a', 'b', 'é', '7', '-', 'Z'])).join('');
}
