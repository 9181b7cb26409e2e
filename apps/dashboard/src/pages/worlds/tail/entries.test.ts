import { expect, test } from 'vitest';
import { filterEntries, mostEntries, mostText, withEntry } from './entries.ts';
import type { TailEntry } from './entries.ts';

const one = (event: string, data: unknown) => ({ channel: 'combat', event, data, at: 1 }) as const;

test('the list keeps the newest events and no more than so many', () => {
  let entries: readonly TailEntry[] = [];
  for (let round = 1; round <= mostEntries + 50; round += 1)
    entries = withEntry(entries, one('combat-turn', { round }));
  expect(entries).toHaveLength(mostEntries);
  expect(entries[0]).toMatchObject({
    number: mostEntries + 50,
    text: `{\n  "round": ${mostEntries + 50}\n}`,
  });
});

test('the line of an event leaves out what every event has', () => {
  const [entry] = withEntry(
    [],
    one('combat-turn', { clientId: 'demo', channel: 'combat', timestamp: 1, round: 2 }),
  );
  expect(entry?.line).toBe('{"round":2}');
});

test('of a huge event so much is kept, and it is said how much is not', () => {
  const [entry] = withEntry([], one('updateActor', 'x'.repeat(mostText * 2)));
  expect(entry?.text.length).toBeLessThan(mostText + 50);
  expect(entry?.text).toContain(`… ${mostText + 2} more characters`);
});

test.each([
  ['', 2],
  ['COMBAT-turn', 1],
  ['ambush', 2],
  ['ambush "round": 2', 1],
  ['dragon', 0],
])('the filter %j shows %i', (filter, count) => {
  const entries = withEntry(
    withEntry([], one('combat-start', { encounterId: 'ambush', round: 1 })),
    one('combat-turn', { encounterId: 'ambush', round: 2 }),
  );
  expect(filterEntries(entries, filter)).toHaveLength(count);
});
