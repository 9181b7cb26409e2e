import type { ChannelFilter } from '@tabletop-relay/contract';

/** The parts of a schema that its TypeScript type follows from. */
export interface TypedSchema {
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly TypedSchema[];
  items?: TypedSchema;
  properties?: Record<string, TypedSchema>;
  patternProperties?: Record<string, TypedSchema>;
  required?: readonly string[];
  description?: string;
}

/** One field of an object type. */
export interface Field {
  name: string;
  type: string;
  isOptional?: boolean;
  isReadonly?: boolean;
  description?: string | undefined;
}

/** What a schema allows, as TypeScript. Throws at what it has no words for. */
export function typeText(schema: TypedSchema): string {
  const { type, anyOf, items, properties, patternProperties } = schema;
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return union(schema.enum.map(literal));
  // An object with `anyOf` says with it which of its own properties are needed, which no type tells.
  if (anyOf && !properties) return union(anyOf.map(typeText));
  if (type === 'array') return arrayOf(items ? typeText(items) : 'unknown');
  if (patternProperties) return `Record<string, ${union(Object.values(patternProperties).map(typeText))}>`;
  if (type === 'object') return objectText(fieldsOf(schema));
  const plain = type === undefined ? 'unknown' : plainTypes[type];
  if (plain) return plain;
  throw new Error(`No TypeScript is known for ${JSON.stringify(schema)}`);
}

const plainTypes: Record<string, string> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** The fields of an object schema; `required` decides which of them may be absent. */
export function fieldsOf({ properties = {}, required = [] }: TypedSchema): Field[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    type: typeText(schema),
    isOptional: !required.includes(name),
    description: schema.description,
  }));
}

/** An object type, each field with its description as its comment. */
export function objectText(fields: readonly Field[], more: readonly string[] = []): string {
  const lines = [...fields.map(fieldText), ...more];
  return lines.length === 0 ? 'object' : `{\n${indent(lines.join('\n'))}\n}`;
}

function fieldText({ name, type, isOptional, isReadonly, description }: Field): string {
  const named = `${isReadonly ? 'readonly ' : ''}${propertyName(name)}${isOptional ? '?' : ''}: ${type};`;
  return description ? `${comment(description)}\n${named}` : named;
}

/** The type of the fields of an event: `text?` may be absent or null. */
export function eventField(name: string, written: string): Field {
  const isOptional = written.endsWith('?');
  const type = eventTypes[written.replace('?', '')] ?? 'never';
  return { name, type: isOptional ? `${type} | null | undefined` : type, isOptional, isReadonly: true };
}

const eventTypes: Record<string, string> = {
  text: 'string',
  texts: 'readonly string[]',
  number: 'number',
  flag: 'boolean',
  list: 'readonly unknown[]',
  object: 'Readonly<Record<string, unknown>>',
};

/** A filter of a stream as a program gives it. */
export function filterField(name: string, { type, description }: ChannelFilter): Field {
  const given = { text: 'string', integer: 'number', names: 'readonly string[]', flag: 'boolean' }[type];
  return { name, type: `${given} | undefined`, isOptional: true, description };
}

export const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, String.raw`\$&`)}'` : JSON.stringify(value);

/** What may be anything is not narrowed by what else it may be. */
export const union = (types: readonly string[]): string =>
  types.includes('unknown') ? 'unknown' : [...new Set(types)].join(' | ');

const arrayOf = (type: string): string => (type.includes(' | ') ? `Array<${type}>` : `${type}[]`);

export const propertyName = (name: string): string =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);

export const comment = (text: string): string =>
  `/** ${text.replaceAll('*/', '*\\/').replaceAll('\n', ' ')} */`;

export const indent = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ');

/** A generated file of types. What is written out is as long as it is. */
export function typesFile(source: string, ...blocks: readonly string[]): string {
  const head = `/* oxlint-disable max-lines -- Generated from ${source} by \`pnpm docs:generate\`; a test compares it. */`;
  return `${[head, ...blocks].join('\n\n')}\n`;
}

export const interfaceText = (
  name: string,
  description: string,
  fields: readonly Field[],
  more: readonly string[] = [],
) =>
  `${comment(description)}\nexport interface ${name} ${objectText(fields, more).replace(/^object$/, '{}')}`;
