import type { TSchema } from 'typebox';
import type { Validator } from 'typebox/compile';
import type { FieldError } from './problem.ts';

/** A fault as TypeBox reports it. Its `schemaPath` leads to the schema that the value does not meet. */
export interface SchemaFault {
  keyword: string;
  schemaPath: string;
  instancePath: string;
  params: object;
}

interface JsonSchema {
  type?: string;
  enum?: readonly unknown[];
  anyOf?: readonly TSchema[];
  description?: string;
  format?: string;
  pattern?: string;
  items?: TSchema;
  properties?: Record<string, TSchema>;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
}

const maxErrors = 20;

/** The faults of a value that TypeBox refused, one entry for each field. */
export function fieldErrors(validator: Validator, value: unknown): FieldError[] {
  return describeFaults(validator.Type(), validator.Errors(value), 'request');
}

/** What is wrong with a value that a schema refuses, without a look at its parts. */
export const wholeFault = (schema: TSchema): string => `must be ${expectation(schema)}`;

/**
 * Faults in the words that all validation of this API uses: one entry for each field, at most twenty. Of the elements
 * of an array that have the same fault, the first is named. `rootName` names the value as a whole. Any fault gives an
 * entry, so no entries mean that the value is right.
 */
export function describeFaults(
  root: TSchema,
  faults: readonly SchemaFault[],
  rootName: string,
): FieldError[] {
  const found = new Map<string, FieldError>();
  const sameFault = new Set<string>();
  const note = (names: readonly string[], message: string) => {
    const field = names.join('.') || rootName;
    const fault = `${field.replaceAll(/\.\d+(?=\.|$)/g, '')} ${message}`;
    if (found.size === maxErrors || found.has(field) || sameFault.has(fault)) return;
    sameFault.add(fault);
    found.set(field, { field, message });
  };
  for (const { keyword, schemaPath, instancePath, params } of faults) {
    const at = instancePath.split('/').slice(1).map(decode);
    const path = schemaPath.split('/').slice(1).map(decode);
    const union = unionAround(path);
    const schema = resolve(root, union?.path ?? path) as JsonSchema;
    const { properties = {} } = schema;
    const { requiredProperties = [], additionalProperties = [] } = params as Record<string, string[]>;
    if (union) note(at.slice(0, union.depth), `must be ${expectation(schema)}`);
    else if (keyword === 'required')
      for (const name of requiredProperties)
        note([...at, name], `is required: ${expectation(properties[name] ?? {})}`);
    else if (keyword === 'additionalProperties')
      for (const name of additionalProperties) note([...at, shorten(name)], unknown(schema));
    else if (keyword === 'boolean')
      note([...at.slice(0, -1), shorten(at.at(-1) ?? '')], unknown(resolve(root, path.slice(0, -1))));
    else note(at, `must be ${expectation(schema)}`);
  }
  return [...found.values()];
}

const unknown = (closed: JsonSchema) => `is unknown; known are ${list(Object.keys(closed.properties ?? {}))}`;

/**
 * The outermost union that a schema lies in, and how deep in the value it stands. A validator that stops after some
 * faults may report the branches of a union and not the union itself.
 */
function unionAround(path: readonly string[]): { path: readonly string[]; depth: number } | undefined {
  let depth = 0;
  for (let index = 0; index < path.length; index++) {
    const keyword = path[index];
    if (keyword === 'anyOf') return { path: path.slice(0, index), depth };
    if (keyword === 'items' || keyword === 'additionalProperties') depth++;
    if (keyword === 'properties' || keyword === 'patternProperties') {
      depth++;
      // The next segment is a name and no keyword.
      index++;
    }
  }
  return undefined;
}

/** The value that a schema asks for, in words that follow "must be". */
function expectation(schema: TSchema): string {
  const json = schema as JsonSchema;
  if (json.enum) return `one of ${list(json.enum)}`;
  if (json.type === undefined && json.anyOf) return json.anyOf.map(expectation).join(' or ');
  switch (json.type) {
    case 'null':
      return '`null`';
    case 'boolean':
      return '`true` or `false`';
    case 'integer':
      return `an integer${range('from', json.minimum, json.maximum)}`;
    case 'number':
      return `a number${range('from', json.minimum, json.maximum)}`;
    case 'string':
      return text(json);
    case 'array':
      return `${array(json)}, each element ${expectation(json.items ?? {})}`;
    case 'object':
      return object(json);
    default:
      return 'a valid value';
  }
}

function text({ format, pattern, description, minLength, maxLength }: JsonSchema): string {
  if (format === 'date-time') return 'a time like `2026-01-31T12:00:00Z`';
  const length = range('of', minLength, maxLength, ' characters');
  return `a string${length}${pattern === undefined ? '' : inBrackets(description)}`;
}

function array({ minItems, maxItems }: JsonSchema): string {
  if (minItems === 1 && maxItems === undefined) return 'a filled array';
  return `an array${range('of', minItems, maxItems, ' elements')}`;
}

function object({ properties, minProperties, description }: JsonSchema): string {
  if (!properties) return 'an object with entries';
  const names = list(Object.keys(properties));
  return minProperties === 1
    ? `an object with at least one of ${names}`
    : `an object of ${names}${inBrackets(description)}`;
}

const inBrackets = (description?: string) =>
  description === undefined ? '' : ` (${description.replace(/\.$/, '')})`;

/** Names in code marks, as a message lists them. */
export function list(names: readonly unknown[]): string {
  return names.map((name) => `\`${String(name)}\``).join(', ');
}

/** A name from outside, short enough to be repeated in an answer and a log line. */
export function shorten(name: string): string {
  return name.length > 64 ? `${name.slice(0, 64)}...` : name;
}

function range(preposition: 'from' | 'of', from?: number, to?: number, unit = ''): string {
  if (from === undefined && to === undefined) return '';
  if (from === undefined) return ` of at most ${to}${unit}`;
  if (to === undefined) return ` of at least ${from}${unit}`;
  return ` ${preposition} ${from} to ${to}${unit}`;
}

/** The schema at the path of a JSON pointer. */
function resolve(root: TSchema, path: readonly string[]): TSchema {
  return path.reduce<TSchema>((schema, key) => (schema as Record<string, TSchema>)[key] ?? {}, root);
}

/** A segment of a JSON pointer. */
const decode = (segment: string) => segment.replaceAll('~1', '/').replaceAll('~0', '~');
