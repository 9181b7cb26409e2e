import type { TSchema } from 'typebox';
import type { Validator } from 'typebox/compile';
import type { Place } from './operation.ts';

/** One thing that is wrong with a request: `<field> <message>` reads as a sentence. */
export interface FieldError {
  /** The name as the caller wrote it; a path with dots where the fault lies deeper. */
  field: string;
  place?: Place;
  message: string;
}

interface JsonSchema {
  type?: string;
  anyOf?: readonly TSchema[];
  enum?: readonly unknown[];
  description?: string;
  items?: TSchema;
  properties?: Record<string, TSchema>;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
}

/** What a schema has against a value that its check refused, one entry for each field. */
export function fieldErrors(validator: Validator, value: unknown): FieldError[] {
  const found = new Map<string, string>();
  for (const error of validator.Errors(value)) {
    // What follows from an `anyOf` is said by the `anyOf`; a closed object's `boolean` by its own entry.
    if (error.keyword === 'boolean' || error.schemaPath.includes('/anyOf/')) continue;
    const at = error.instancePath.split('/').slice(1);
    const schema = resolve(validator.Type(), error.schemaPath);
    const note = (names: string[], message: string) => {
      const field = names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')).join('.');
      if (!found.has(field)) found.set(field, message);
    };
    if (error.keyword === 'required') {
      const { properties = {} } = schema as JsonSchema;
      for (const name of error.params.requiredProperties)
        note([...at, name], `is required: ${expectation(properties[name] ?? {})}`);
    } else if (error.keyword === 'additionalProperties') {
      const known = Object.keys((schema as JsonSchema).properties ?? {});
      for (const name of error.params.additionalProperties)
        note([...at, shorten(name)], `is unknown; known are ${list(known)}`);
    } else note(at, `must be ${expectation(schema)}`);
  }
  return [...found].map(([field, message]) => ({ field, message }));
}

/** What a value must be, in words that follow "must be". */
function expectation(schema: TSchema): string {
  const json = schema as JsonSchema;
  if (json.enum) return `one of ${list(json.enum)}`;
  if (json.type === undefined && json.anyOf) return json.anyOf.map(expectation).join(' or ');
  switch (json.type) {
    case 'boolean':
      return '`true` or `false`';
    case 'integer':
      return `an integer${range(' from', json.minimum, json.maximum)}`;
    case 'number':
      return `a number${range(' from', json.minimum, json.maximum)}`;
    case 'string':
      return `a string${range(' of', json.minLength, json.maxLength, ' characters')}`;
    case 'array':
      return `${json.minItems ? 'a filled array' : 'an array'}, each element ${expectation(json.items ?? {})}`;
    case 'object':
      return json.properties
        ? `an object of ${list(Object.keys(json.properties))} (${json.description ?? ''})`
        : 'an object with entries';
    default:
      return 'a valid value';
  }
}

/** Names in code marks, as a message lists them. */
export function list(names: readonly unknown[]): string {
  return names.map((name) => `\`${String(name)}\``).join(', ');
}

/** A name from outside, short enough to be repeated in an answer and a log line. */
export function shorten(name: string): string {
  return name.length > 64 ? `${name.slice(0, 64)}...` : name;
}

function range(preposition: string, from?: number, to?: number, unit = ''): string {
  if (from === undefined && to === undefined) return '';
  return `${preposition} ${from ?? 0}${to === undefined ? ' up' : ` to ${to}`}${unit}`;
}

/** The schema at a path like `#/properties/currency`. */
function resolve(root: TSchema, path: string): TSchema {
  return path
    .split('/')
    .slice(1)
    .reduce<TSchema>((schema, key) => (schema as Record<string, TSchema>)[key] ?? {}, root);
}
