/** The names that stand in a path, in its order: `uuid` of `/macro/:uuid/execute`. */
export function pathNames(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}

/** A value as it stands in a path or a query string: text as it is, anything else as JSON. */
export const urlText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** True if a value can be a part of a path. URL parsers take `.` and `..` for steps, encoded or not. */
export function canStandInPath(value: unknown): boolean {
  return value !== undefined && !['', '.', '..'].includes(urlText(value));
}
