import type { Schema } from './document.ts';

/** One line of a list of fields. */
export interface SchemaField {
  /** Within its object; `[]` stands behind the name of a list of objects. */
  name: string;
  /** How many objects it lies in. */
  depth: number;
  type: string;
  isRequired: boolean;
  description: string;
  default?: unknown;
}

type Schemas = Readonly<Record<string, Schema>>;

/** Deeper than this an example says more than a list. */
const maxDepth = 4;

/** A schema with its reference followed; words beside the reference stay. */
function resolved(schema: Schema, schemas: Schemas): Schema {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...words } = schema;
  const target = schemas[$ref.slice($ref.lastIndexOf('/') + 1)];
  return target ? { ...resolved(target, schemas), ...words } : words;
}

/** The fields of an object and of the objects in it, from the outside in. */
export function fieldsOf(schema: Schema, schemas: Schemas, depth = 0): SchemaField[] {
  const { properties = {}, required = [] } = resolved(schema, schemas);
  if (depth > maxDepth) return [];
  return Object.entries(properties).flatMap(([name, given]) => {
    const own = resolved(given, schemas);
    const inner = objectIn(own, schemas);
    const field: SchemaField = {
      name: own.type === 'array' && inner ? `${name}[]` : name,
      depth,
      type: typeOf(own, schemas),
      isRequired: required.includes(name),
      description: own.description ?? '',
      ...(own.default === undefined ? {} : { default: own.default }),
    };
    return [field, ...(inner ? fieldsOf(inner, schemas, depth + 1) : [])];
  });
}

/** The object whose fields belong under a field: its own, of its elements, or the one that may be null. */
function objectIn(schema: Schema, schemas: Schemas): Schema | undefined {
  if (schema.properties) return schema;
  if (schema.items) return objectIn(resolved(schema.items, schemas), schemas);
  const others = (schema.anyOf ?? [])
    .map((one) => resolved(one, schemas))
    .filter(({ type }) => type !== 'null');
  return others.length === 1 && others[0] ? objectIn(others[0], schemas) : undefined;
}

/** A schema in a few words: `integer, 1 to 10`. */
export function typeOf(given: Schema, schemas: Schemas): string {
  const schema = resolved(given, schemas);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return valuesOf(schema.enum, schema.description);
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, schemas)).join(' or ');
  if (schema.type === 'array') {
    const of = schema.items ? typeOf(schema.items, schemas) : 'anything';
    return [`list of ${of}`, range(schema.minItems, schema.maxItems, 'elements')].filter(Boolean).join(', ');
  }
  const kind = schema.format === 'date-time' ? 'time' : (schema.type ?? 'anything');
  const bounds =
    range(schema.minimum, schema.maximum) || range(schema.minLength, schema.maxLength, 'characters');
  return [kind, bounds].filter(Boolean).join(', ');
}

/** The values, unless the description says what each of them is. */
function valuesOf(values: readonly unknown[], description = ''): string {
  const areDescribed =
    values.length > 2 && values.every((value) => description.includes(`\`${String(value)}\``));
  return areDescribed ? 'one of these' : values.map((value) => JSON.stringify(value)).join(' or ');
}

function range(least: number | undefined, most: number | undefined, what = ''): string {
  const unit = what && ` ${what}`;
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`;
  if (least !== undefined && (what === '' || least > 1)) return `at least ${least}${unit}`;
  return most === undefined ? '' : `at most ${most}${unit}`;
}

/** A value that fits, for calls that have no example: the fields that must be there. */
export function sampleOf(given: Schema, schemas: Schemas): unknown {
  const schema = resolved(given, schemas);
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf?.[0]) return sampleOf(schema.anyOf[0], schemas);
  switch (schema.type) {
    case 'object': {
      const { properties = {}, required = [] } = schema;
      const needed = Object.entries(properties).filter(([name]) => required.includes(name));
      return Object.fromEntries(needed.map(([name, one]) => [name, sampleOf(one, schemas)]));
    }
    case 'array':
      return schema.items ? [sampleOf(schema.items, schemas)] : [];
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return schema.format === 'date-time' ? '2027-01-31T20:00:00Z' : '…';
  }
}
