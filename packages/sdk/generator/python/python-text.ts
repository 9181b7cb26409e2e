import { pythonName } from '@tabletop-relay/contract';
import type { Field, TypedSchema } from '../type-text.ts';

/** Whether a program gives a value, and so any sequence or mapping will do, or is answered it. */
export type Side = 'given' | 'answered';

/** Declarations of types, in an order in which each stands before its first use. */
export interface Declarations {
  side: Side;
  lines: string[];
}

/** What a schema allows, as Python. An object becomes a `TypedDict` of that name in `to`. Throws at what it has no words for. */
export function pythonType(schema: TypedSchema, name: string, to: Declarations): string {
  const { type, anyOf, items, properties, patternProperties } = schema;
  if (schema.const !== undefined) return literalOf([schema.const]);
  if (schema.enum) return literalOf(schema.enum);
  // An object with `anyOf` says with it which of its own properties are needed, which no type tells.
  if (anyOf && !properties)
    return pythonUnion(
      anyOf.map((one, index) => pythonType(one, index === 0 ? name : `${name}${index + 1}`, to)),
    );
  if (type === 'array') return listOf(items ? pythonType(items, name, to) : 'Any', to.side);
  if (patternProperties) {
    const values = Object.values(patternProperties).map((one) => pythonType(one, name, to));
    return recordOf(pythonUnion(values), to.side);
  }
  if (type === 'object') return objectType(schema, name, to);
  const plain = type === undefined ? 'Any' : plainTypes[type];
  if (plain) return plain;
  throw new Error(`No Python is known for ${JSON.stringify(schema)}`);
}

const plainTypes: Record<string, string> = {
  string: 'str',
  number: 'float',
  integer: 'int',
  boolean: 'bool',
  null: 'None',
};

/** The fields of an object schema, the types of their own objects declared before. */
export function pythonFields(
  { properties = {}, required = [] }: TypedSchema,
  name: string,
  to: Declarations,
): Field[] {
  return Object.entries(properties).map(([field, schema]) => ({
    name: field,
    type: pythonType(schema, name + pascalCase(field), to),
    isOptional: !required.includes(field),
    description: schema.description,
  }));
}

function objectType(schema: TypedSchema, name: string, to: Declarations): string {
  const fields = pythonFields(schema, name, to);
  if (fields.length === 0) return recordOf('Any', to.side);
  to.lines.push(typedDict(name, undefined, fields));
  return name;
}

/** A `TypedDict`: JSON as it comes, with types for who checks them. */
export function typedDict(name: string, says: string | undefined, fields: readonly Field[]): string {
  const typed = fields.map(({ type, isOptional, ...field }) => ({
    ...field,
    type: isOptional ? `NotRequired[${type}]` : type,
  }));
  if (!typed.every((field) => isName(field.name))) {
    const entries = typed.map((field) => `        ${text(field.name)}: ${field.type},`);
    return `${name} = TypedDict(\n    ${text(name)},\n    {\n${entries.join('\n')}\n    },\n)`;
  }
  const lines = typed.flatMap((field) => [
    `${field.name}: ${field.type}`,
    ...(field.description ? [docstring(field.description)] : []),
  ]);
  const body = [...(says ? [docstring(says), ''] : []), ...lines];
  return `class ${name}(TypedDict):\n${body.map((line) => line && `    ${line}`).join('\n')}`;
}

/** A union has no `None` twice, and what may be anything is not narrowed by what else it may be. */
export function pythonUnion(types: readonly string[]): string {
  if (types.includes('Any')) return 'Any';
  const literals = types.flatMap((type) => /^Literal\[([^\]]*)\]$/.exec(type)?.[1] ?? []);
  const others = types.filter((type) => !type.startsWith('Literal['));
  return [...new Set([...(literals.length > 0 ? [`Literal[${literals.join(', ')}]`] : []), ...others])].join(
    ' | ',
  );
}

/** No number but an integer may stand in a `Literal`. */
export function literalOf(values: readonly unknown[]): string {
  const kinds = values.map((value) => {
    if (value === null) return 'None';
    if (typeof value === 'boolean') return value ? 'True' : 'False';
    return typeof value === 'string' || Number.isInteger(value) ? JSON.stringify(value) : undefined;
  });
  return kinds.includes(undefined) ? 'float' : `Literal[${kinds.join(', ')}]`;
}

const listOf = (type: string, side: Side): string => `${side === 'given' ? 'Sequence' : 'list'}[${type}]`;

const recordOf = (type: string, side: Side): string =>
  `${side === 'given' ? 'Mapping' : 'dict'}[str, ${type}]`;

const text = (value: string): string => JSON.stringify(value);

export const docstring = (says: string): string =>
  `"""${says
    .replaceAll('\\', '\\\\')
    .replaceAll('"""', String.raw`\"\"\"`)
    .replaceAll('\n', ' ')
    .replace(/"$/, String.raw`\"`)}"""`;

export const pascalCase = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');

/** The name in Python; throws where it can be none. */
export function checkedName(name: string): string {
  const inPython = pythonName(name);
  if (isName(inPython)) return inPython;
  throw new Error(`${name} cannot be a name in Python`);
}

const keywords = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if
   import in is lambda nonlocal not or pass raise return self try while with yield`.split(/\s+/),
);

const isName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !keywords.has(name);

export const indentBy = (spaces: number, lines: string): string =>
  lines.replaceAll(/^(?=.)/gm, ' '.repeat(spaces));

/** A generated module. `ruff format` leaves it alone. */
export function pythonFile(source: string, says: string, ...blocks: readonly string[]): string {
  const head = `# Generated from ${source} by \`pnpm docs:generate\`; a test compares it.\n${docstring(says)}`;
  return `${[head, ...blocks].join('\n\n\n')}\n`;
}
