import type { Random } from '@tabletop-relay/testing';

const odd: readonly unknown[] = [
  null, true, 0, -1, 1.5, 2 ** 31, 1e300, '', ' ', '\0', 'x', 'x'.repeat(5_000), [], [null], [[]], {}, { a: 1 },
  '__proto__', '2020-13-01T00:00:00Z', 'clients:read',
]; // prettier-ignore

/** A copy with one thing changed, left out or added, at any depth. */
export function mutate(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || random.chance(0.1)) return random.pick(odd);
  if (Array.isArray(value)) return mutateList(value, random);
  const entries = Object.entries(value as Record<string, unknown>);
  if (entries.length === 0 || random.chance(0.15)) return { ...value, surplus: random.pick(odd) };
  const [name, inner] = random.pick(entries);
  if (random.chance(0.3)) return Object.fromEntries(entries.filter(([other]) => other !== name));
  return { ...value, [name]: random.chance(0.5) ? mutate(inner, random) : random.pick(odd) };
}

function mutateList(list: readonly unknown[], random: Random): unknown[] {
  if (random.chance(0.3)) return [...list, random.pick(odd)];
  if (random.chance(0.2)) return Array.from({ length: 600 }, () => list[0] ?? 'x');
  return list.map((each) => (random.chance(0.5) ? mutate(each, random) : each));
}
