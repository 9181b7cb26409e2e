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

  test('are left to a later turn of their name, wherever that is', async () => {
    const [first, second] = await suite.pair();
    const only = hall(1);
    const { name } = hall(1);
    const before = await first.cluster.seats.take('group', [only], { name, turn: 1 });
    const after = await second.cluster.seats.take('group', [only], { name, turn: 10 });
    expect(after.outcome).toBe('taken');
    // Who had it leaves it late.
    if (before.outcome === 'taken') before.leave();
    const other = { name: `${name}-other`, turn: 11 };
    expect((await first.cluster.seats.take('group', [only], other)).outcome).toBe('full');
    expect(await first.cluster.seats.take('group', [only], { name, turn: 9 })).toEqual({
      outcome: 'overtaken',
    });
    if (after.outcome === 'taken') after.leave();
    await expect.poll(async () => (await first.cluster.seats.take('group', [only])).outcome).toBe('taken');
  });

  test('are one to all turns of a name, whoever races for it, and the latest has it', async () => {
    const instances = await suite.start(3);
    const only = hall(2);
    const { name } = hall(1);
    const rival = await instances[0]!.cluster.seats.take('group', [only]);
    expect(rival.outcome).toBe('taken');
    const turns = Array.from({ length: 60 }, (_, index) => ((index * 37) % 60) + 1);
    const asked = await Promise.all(
      turns.map((turn, index) => instances[index % 3]!.cluster.seats.take('group', [only], { name, turn })),
    );
    expect(asked.map(({ outcome }) => outcome)).not.toContain('full');
    expect(asked[turns.indexOf(60)]?.outcome).toBe('taken');
    for (const [index, one] of asked.entries())
      if (one.outcome === 'taken' && turns[index] !== 60) one.leave();
    expect((await instances[1]!.cluster.seats.take('group', [only])).outcome).toBe('full');
  });

  test('are kept by who had them where the next one finds another hall full', async () => {
    const [{ cluster }] = await suite.pair();
    const [own, full] = [hall(1), hall(1)];
    const { name } = own;
    await cluster.seats.take('group', [own], { name, turn: 1 });
    await cluster.seats.take('group', [full]);
    expect((await cluster.seats.take('group', [own, full], { name, turn: 2 })).outcome).toBe('full');
    expect((await cluster.seats.take('group', [own])).outcome).toBe('full');
  });
}
