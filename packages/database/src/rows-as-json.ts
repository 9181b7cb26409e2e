/**
 * A row with the database's names, for raw SQL that reads rows from JSON. The values stay as they are: the keys
 * inside of a `jsonb` value are not names of columns.
 */
export function toColumns(row: object): Record<string, unknown> {
  const fields = row as Record<string, unknown>;
  const columns: Record<string, unknown> = {};
  // `Object.entries` would make a list of pairs first, which takes as long as all else, for each call that is recorded.
  for (const field in fields) columns[columnName(field)] = fields[field];
  return columns;
}

const columnNames = new Map<string, string>();

/** The database's name of a camelCase field or table, by the same rule as the queries': `accountId` is `account_id`. */
export function columnName(field: string): string {
  let name = columnNames.get(field);
  if (name === undefined) {
    name = field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    columnNames.set(field, name);
  }
  return name;
}

const longestText = 2000;

/**
 * The start of a text as Postgres takes it: without NUL, which it has in no text, and without half of a surrogate pair, which it
 * refuses in JSON. It is cut first, because a cut may leave such a half.
 */
export function storable(text: string, maxLength: number = longestText): string {
  return text.slice(0, maxLength).toWellFormed().replaceAll('\0', '');
}

/** A value that a stranger chose as `storable` text: what is no text counts as none. */
export function storableText(value: unknown, maxLength: number): string {
  return typeof value === 'string' ? storable(value, maxLength) : '';
}
