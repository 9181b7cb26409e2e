import type { Operation } from '@tabletop-relay/contract';
import { Type } from 'typebox';
import type { TSchema } from 'typebox';

interface Schema {
  type?: string;
  enum?: readonly unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  description?: string;
  default?: unknown;
}

/** How a parameter is entered. */
export type FieldKind = 'text' | 'number' | 'flag' | 'choice' | 'choices' | 'lines' | 'amounts' | 'json';

export interface FormField {
  name: string;
  kind: FieldKind;
  isRequired: boolean;
  description: string;
  /** Of `choice` and `choices` the values, of `amounts` the names. */
  options: readonly string[];
  /** The words for options that are codes, as the description gives them: `prc` Perception. */
  labels: Readonly<Record<string, string>>;
  default: unknown;
}

/** Draft of a field: text, a tick, ticked values, or a text for each amount. */
export type Draft = string | boolean | readonly string[] | Readonly<Record<string, string>>;

/** The fields of an operation's form, the required first. */
export function fieldsOf(operation: Pick<Operation, 'parameters'>): FormField[] {
  const required = new Set<string>(Type.Object(operation.parameters).required as string[] | undefined);
  return Object.entries(operation.parameters)
    .map(([name, schema]) => fieldOf(name, schema, required.has(name)))
    .toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired));
}

function fieldOf(name: string, schema: TSchema, isRequired: boolean): FormField {
  const { description = '', default: fallback }: Schema = schema;
  const kind = kindOf(schema);
  return {
    name,
    isRequired,
    description,
    default: fallback,
    labels: labelsIn(description, kind.options),
    ...kind,
  };
}

/** Names of codes in a description such as “The skill: `acr` Acrobatics, `ani` Animal Handling.” */
function labelsIn(description: string, options: readonly string[]): Record<string, string> {
  const pairs = [...description.matchAll(/`([^`]+)` ([A-Z][^,.;`]*)/g)].map(
    ([, code = '', name = '']) => [code, name.trim()] as const,
  );
  return Object.fromEntries(pairs.filter(([code]) => options.includes(code)));
}

function kindOf(schema: Schema): Pick<FormField, 'kind' | 'options'> {
  const options = (values: readonly unknown[]) => values.map(String);
  if (schema.enum) return { kind: 'choice', options: options(schema.enum) };
  switch (schema.type) {
    case 'boolean':
      return { kind: 'flag', options: [] };
    case 'number':
    case 'integer':
      return { kind: 'number', options: [] };
    case 'array':
      if (schema.items?.enum) return { kind: 'choices', options: options(schema.items.enum) };
      return { kind: schema.items?.type === 'string' ? 'lines' : 'json', options: [] };
    case 'object':
      return schema.properties && Object.values(schema.properties).every(isNumber)
        ? { kind: 'amounts', options: Object.keys(schema.properties) }
        : { kind: 'json', options: [] };
    case 'string':
      return { kind: 'text', options: [] };
    default:
      return { kind: 'json', options: [] };
  }
}

const isNumber = ({ type }: Schema) => type === 'number' || type === 'integer';

/** Draft for a value; without a value, the draft of an untouched field. */
export function draftOf(field: FormField, value: unknown): Draft {
  const given = value ?? field.default;
  switch (field.kind) {
    case 'flag':
      return given === true;
    case 'choices':
      return Array.isArray(given) ? given.map(String) : [];
    case 'lines':
      return Array.isArray(given) ? given.join('\n') : '';
    case 'amounts': {
      const amounts = (given ?? {}) as Record<string, unknown>;
      return Object.fromEntries(
        field.options.map((name) => [
          name,
          amounts[name] === undefined ? '' : String(amounts[name] as number),
        ]),
      );
    }
    case 'json':
      return given === undefined ? '' : JSON.stringify(given);
    default:
      return typeof given === 'string' || typeof given === 'number' ? String(given) : '';
  }
}

/** Value that is sent for a draft; undefined if the field is left out. Throws `SyntaxError` for invalid JSON. */
export function valueOf(field: FormField, draft: Draft): unknown {
  switch (field.kind) {
    case 'flag':
      // The relay fills in defaults by itself.
      return field.isRequired || draft !== (field.default ?? false) ? draft : undefined;
    case 'choices':
      return (draft as readonly string[]).length > 0 ? draft : undefined;
    case 'lines': {
      const lines = (draft as string).split('\n').map((line) => line.trim());
      const filled = lines.filter(Boolean);
      return filled.length > 0 ? filled : undefined;
    }
    case 'amounts': {
      const filled = Object.entries(draft as Record<string, string>).filter(([, text]) => text !== '');
      return filled.length > 0
        ? Object.fromEntries(filled.map(([name, text]) => [name, Number(text)]))
        : undefined;
    }
    case 'number':
      return draft === '' ? undefined : Number(draft);
    case 'json':
      return draft === '' ? undefined : JSON.parse(draft as string);
    default:
      return draft === '' ? undefined : draft;
  }
}
