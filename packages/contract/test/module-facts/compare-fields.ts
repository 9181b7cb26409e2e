import type { TSchema } from 'typebox';

interface AnySchema {
  properties?: Record<string, AnySchema>;
  items?: AnySchema;
  anyOf?: AnySchema[];
}

/** Every field that a schema names, and every one that leads to a value whose fields it leaves open. */
export function namedFields(schema: TSchema): { named: Set<string>; open: Set<string> } {
  const named = new Set<string>();
  const open = new Set<string>();
  walk(schema, '');
  return { named, open };

  function walk({ properties, items, anyOf }: AnySchema, path: string): void {
    if (items) walk(items, path);
    else if (anyOf) for (const one of anyOf) walk(one, path);
    else if (!properties) open.add(path);
    else
      for (const [name, inner] of Object.entries(properties)) {
        named.add(join(path, name));
        walk(inner, join(path, name));
      }
  }
}

/** Every field of a value. Those of the elements of a list have no index. */
export function fieldsOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => fieldsOf(one, path));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    join(path, name),
    ...fieldsOf(inner, join(path, name)),
  ]);
}

const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);
