/** The part of a schema that the reference shows. */
export interface SchemaText {
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly SchemaText[];
  items?: SchemaText;
  properties?: Record<string, SchemaText>;
  required?: readonly string[];
  description?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
}

/** A table; a cell may have more lines and bars of its own. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

/** A generated page ends with a line break and says what made it. */
export function page(title: string, source: string, ...blocks: readonly string[]): string {
  const note = `<!-- Generated from ${source} by \`pnpm docs:generate\`. A test compares it: change the source. -->`;
  return `${[note, `# ${title}`, ...blocks.filter((block) => block !== '')].join('\n\n')}\n`;
}

export const code = (text: string) => `\`${text}\``;

export const codes = (texts: readonly string[]) => texts.map(code).join(', ');

/** A schema in a few words: `integer, 1 to 10`. */
export function typeOf(schema: SchemaText): string {
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum) return codes(schema.enum.map(String));
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.type === 'array') return `array of ${schema.items ? typeOf(schema.items) : 'anything'}`;
  return [schema.type ?? 'anything', boundsOf(schema)].filter(Boolean).join(', ');
}

/** One row for each field of an object and of the objects in it, by dotted path. */
export function fieldRows({ properties = {}, required = [] }: SchemaText, prefix = ''): string[][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = `${prefix}${name}`;
    const inner = schema.items?.properties ? schema.items : schema;
    const below = inner.properties ? fieldRows(inner, `${path}${inner === schema ? '' : '[]'}.`) : [];
    const presence = required.includes(name) ? '' : 'May be absent. ';
    return [[code(path), typeOf(schema), `${presence}${schema.description ?? ''}`.trim()], ...below];
  });
}

function boundsOf({ minimum, maximum, maxLength }: SchemaText): string {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`;
  if (minimum !== undefined) return `at least ${minimum}`;
  if (maximum !== undefined) return `at most ${maximum}`;
  return maxLength === undefined ? '' : `at most ${maxLength} characters`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
