/** How deep a value may be nested. */
const maxDepth = 32;

/** Of one object. No document of a tabletop comes near it, and ten times as many take longer than a turn may. */
const maxEntries = 10_000;

/**
 * What is wrong with the shape of a value, whatever its schema. It stops at the limits, so that hostile nesting costs
 * nothing: printing it as JSON would overflow the stack.
 */
export function faultOfShape(value: unknown, levels = maxDepth): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (levels === 0) return 'is nested too deep';
  const isList = Array.isArray(value);
  const entries = isList ? (value as unknown[]) : Object.values(value);
  if (!isList && entries.length > maxEntries) return `holds an object with more than ${maxEntries} entries`;
  // A body's parser refuses it. Here it stood in a text, which nothing has parsed before.
  if (!isList && Object.hasOwn(value, '__proto__')) return 'holds a field of the name `__proto__`';
  for (const entry of entries) {
    const fault = faultOfShape(entry, levels - 1);
    if (fault) return fault;
  }
  return undefined;
}

/** Whether a value has more entries than this at all depths. Looks at no more of them. */
export function holdsMore(value: unknown, entries: number): boolean {
  let left = entries;
  const walk = (inner: unknown): boolean => {
    if (typeof inner !== 'object' || inner === null) return false;
    const list = Array.isArray(inner) ? (inner as unknown[]) : Object.values(inner);
    left -= list.length;
    return left < 0 || list.some(walk);
  };
  return walk(value);
}

/** Whether two values of one parameter say the same; elements of lists are compared one by one, nothing deeper. */
export function isSame(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  return a.length === b.length && a.every((element, index) => element === b[index]);
}
