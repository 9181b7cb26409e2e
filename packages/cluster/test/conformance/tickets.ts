import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Suite } from './fleet.ts';

/** Promises of the tickets. */
export function describeTickets(suite: Suite): void {
  const id = () => randomBytes(8).toString('hex');

  test('open once, whoever races for them on whatever instance', async () => {
    const instances = await suite.start(3);
    const ticket = id();
    await instances[0]!.cluster.tickets.issue(ticket, 'note', 60_000);
    const notes = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        instances[index % 3]!.cluster.tickets.use(ticket, { shown: '', next: `proof-${index}` }),
      ),
    );
    expect(notes.filter((note) => note !== undefined)).toEqual([{ note: 'note', turn: 1 }]);
  });

  test('open again to who shows the proof of the last use, or of the one before', async () => {
    const [{ cluster }, other] = await suite.pair();
    const ticket = id();
    await cluster.tickets.issue(ticket, 'note', 60_000);
    const use = (shown: string, next: string) => other.cluster.tickets.use(ticket, { shown, next });
    const opened = (turn: number) => ({ note: 'note', turn });
    expect(await use('made up', '1')).toEqual(opened(1));
    expect(await use('made up', 'x')).toBeUndefined();
    expect(await use('', 'x')).toBeUndefined();
    expect(await use('1', '2')).toEqual(opened(2));
    // Its answer may have been lost on the way.
    expect(await use('1', '3')).toEqual(opened(3));
    expect(await use('2', 'x')).toBeUndefined();
    expect(await use('3', '4')).toEqual(opened(4));
    expect(await use('4', '5')).toEqual(opened(5));
    expect(await use('1', 'x')).toBeUndefined();
    // Who keeps it learns how often it was used.
    expect(await cluster.tickets.keep([id(), ticket])).toEqual(new Map([[ticket, 5]]));
  });

  test('are forgotten when they are not used in time', async () => {
    const [{ cluster }] = await suite.pair();
    const ticket = id();
    await cluster.tickets.issue(ticket, 'note', 1);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await expect.poll(() => cluster.tickets.use(ticket, { shown: '', next: '1' })).toBeUndefined();
    expect(await cluster.tickets.use(id(), { shown: '', next: '1' })).toBeUndefined();
  });
}
