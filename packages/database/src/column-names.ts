/**
 * A row with the database's names, for raw SQL that reads rows from JSON. The values stay as they are: the keys
 * inside of a `jsonb` value are not names of columns.
 */
export function toColumns(row: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([field, value]) => [columnName(field), value]));
}

const columnNames = new Map<string, string>();

/** The database's name of a camelCase field, by the same rule as the queries': `accountId` is `account_id`. */
function columnName(field: string): string {
  let name = columnNames.get(field);
  if (name === undefined) {
    name = field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    columnNames.set(field, name);
  }
  return name;
}
