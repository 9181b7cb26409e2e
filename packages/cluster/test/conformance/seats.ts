import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Suite } from './fleet.ts';

/** Promises of the seats. */
export function describeSeats(suite: Suite): void {
  const hall = (max: number) => ({ name: `hall-${randomBytes(6).toString('hex')}`, max });

  test('are never more than there are, whoever races for them on whatever instance', async () => {
    const instances = await suite.start(3);
    const [small, large] = [hall(7), hall(20)];
    const asked = await Promise.all(
      Array.from({ length: 60 }, (_, index) => {
        const { seats } = instances[index % 3]!.cluster;
        return seats.take('group', index % 2 === 0 ? [small, large] : [large]);
      }),
    );
    const refused = asked.filter(({ outcome }) => outcome === 'full');
    expect(asked.length - refused.length).toBe(20);
    expect(new Set(refused.map((one) => one.outcome === 'full' && one.hall.name))).toContain(large.name);
  });

  test('are taken in all halls or in none', async () => {
    const [{ cluster }] = await suite.pair();
    const [full, free] = [hall(1), hall(1)];
    await cluster.seats.take('group', [full]);
    expect(await cluster.seats.take('group', [free, full])).toEqual({ outcome: 'full', hall: full });
    expect((await cluster.seats.take('group', [free])).outcome).toBe('taken');
  });

  test('are free again once they are left', async () => {
    const [first, second] = await suite.pair();
    const only = hall(1);
    const taken = await first.cluster.seats.take('group', [only]);
    expect((await second.cluster.seats.take('group', [only])).outcome).toBe('full');
    if (taken.outcome === 'taken') taken.leave();
    await expect.poll(async () => (await second.cluster.seats.take('group', [only])).outcome).toBe('taken');
  });

  test('are left to who comes in their place, wherever that is', async () => {
    const [first, second] = await suite.pair();
    const only = hall(1);
    const { name } = hall(1);
    const before = await first.cluster.seats.take('group', [only], { name, inPlaceOf: [] });
    const next = { name: `${name}-next`, inPlaceOf: [`${name}-lost`, name] };
    const after = await second.cluster.seats.take('group', [only], next);
    expect(after.outcome).toBe('taken');
    // Who had it leaves it late.
    if (before.outcome === 'taken') before.leave();
    const third = { name: `${name}-third`, inPlaceOf: [name] };
    expect((await first.cluster.seats.take('group', [only], third)).outcome).toBe('full');
    if (after.outcome === 'taken') after.leave();
    await expect.poll(async () => (await first.cluster.seats.take('group', [only])).outcome).toBe('taken');
  });

  test('are kept by who had them where the next one finds another hall full', async () => {
    const [{ cluster }] = await suite.pair();
    const [own, full] = [hall(1), hall(1)];
    const { name } = own;
    await cluster.seats.take('group', [own], { name, inPlaceOf: [] });
    await cluster.seats.take('group', [full]);
    const next = { name: `${name}-next`, inPlaceOf: [name] };
    expect((await cluster.seats.take('group', [own, full], next)).outcome).toBe('full');
    expect((await cluster.seats.take('group', [own])).outcome).toBe('full');
  });
}
