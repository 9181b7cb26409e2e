import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ChildOwner } from './child-owner.ts';
import { childHandover, startChildOwner } from './child-owner.ts';
import type { FaultFleet, NetworkedInstance } from './fault-fleet.ts';
import { openFaultFleet, soon } from './fault-fleet.ts';
import { failureOf } from './conformance/fleet.ts';

const client = 'client-1';

let fleet: FaultFleet;
let child: ChildOwner;
let asker: NetworkedInstance;
beforeEach(async () => {
  fleet = await openFaultFleet();
  asker = await fleet.start('asker');
  child = await startChildOwner(fleet.url, client);
});
afterEach(async () => {
  await child.end();
  await fleet.close();
});

test('a killed owner is noticed by the calls that wait and by new ones, long before their deadline, and another takes its client', async () => {
  const waiting = failureOf(asker.ask(client, 'hang'));
  await vi.waitFor(() => expect(child.events).toContainEqual({ event: 'delivered', body: 'hang' }), soon);
  process.kill(child.pid, 'SIGKILL');
  expect(await waiting).toMatchObject({ reason: 'lost', sent: true });
  await expect(asker.ask(client, 'x')).rejects.toMatchObject({ reason: 'unavailable', sent: false });
  expect(await asker.connect(client)).toMatchObject({ outcome: 'mine' });
  expect(await asker.ask(client, 'taken over')).toBe('taken over');
});

test('a killed owner whose lease is over is unavailable, not unknown', async () => {
  process.kill(child.pid, 'SIGKILL');
  await vi.waitFor(
    () =>
      expect(asker.ask(client, 'x')).rejects.toMatchObject({
        reason: 'unavailable',
        message: expect.stringContaining('lease'),
      }),
    soon,
  );
});

test('an owner that was stopped past its lease and woken does not act', async () => {
  process.kill(child.pid, 'SIGSTOP');
  // The lease has not ended yet, so the command is published and waits in the socket of the stopped process.
  const waiting = failureOf(asker.ask(client, 'from before'));
  expect(await waiting).toMatchObject({ reason: 'lost', sent: true });
  expect(await asker.connect(client)).toMatchObject({ outcome: 'mine' });
  const heardBefore = child.events.length;
  process.kill(child.pid, 'SIGCONT');
  await vi.waitFor(() => expect(child.events).toContainEqual({ event: 'evicted', why: 'superseded' }), soon);
  expect(await asker.ask(client, 'to the new owner')).toBe('to the new owner');
  expect(child.events.slice(heardBefore)).toEqual([
    { event: 'authority', authority: 'frozen' },
    { event: 'evicted', why: 'superseded' },
  ]);
});

test('a newcomer does not take the client of a socket on its own instance when the lease of that has just ended', async () => {
  const own = 'client-of-asker';
  expect(await asker.connect(own)).toMatchObject({ outcome: 'mine' });
  await fleet.store.del(await fleet.store.keys('r:live:*'));
  expect(await asker.connect(own)).toMatchObject({ outcome: 'duplicate' });
  // Until the lease is renewed nobody is the owner.
  await vi.waitFor(async () => expect(await asker.ask(own, 'to the first')).toBe('to the first'), soon);
});

test('an owner that dies while it offers its client is succeeded at once, before its lease ends', async () => {
  process.kill(child.pid, 'SIGKILL');
  expect(await asker.connect(client, { handover: childHandover })).toMatchObject({ outcome: 'mine' });
  expect(await fleet.store.keys('r:live:*')).toHaveLength(2);
  expect(await asker.ask(client, 'taken over')).toBe('taken over');
});

test('an owner that stood still while its module came over does not act when it is woken', async () => {
  process.kill(child.pid, 'SIGSTOP');
  expect(await asker.connect(client, { handover: childHandover })).toMatchObject({ outcome: 'mine' });
  process.kill(child.pid, 'SIGCONT');
  await vi.waitFor(() => expect(child.events).toContainEqual({ event: 'evicted', why: 'handed_over' }), soon);
  expect(await asker.ask(client, 'to the new owner')).toBe('to the new owner');
  expect(child.events.filter(({ event }) => event === 'delivered')).toEqual([]);
});
