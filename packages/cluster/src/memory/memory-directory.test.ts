import { expect, test } from 'vitest';
import type { Instance } from '../cluster.ts';
import { createMemoryDirectory } from './memory-directory.ts';
import { createMemoryHub } from './memory-hub.ts';

const claimOf = (conn: string) => ({ clientId: 'client', accountId: 'account', meta: '', conn });

function setUp() {
  const hub = createMemoryHub();
  const join = (boot: string) =>
    hub.members.set(boot, { boot, instanceId: boot, instance: {} as Instance, calls: new Set() });
  join('old');
  join('new');
  const directoryOf = (boot: string) => createMemoryDirectory(hub, boot, 1_000);
  return { hub, old: directoryOf('old'), next: directoryOf('new') };
}

test('a client is handed over although the instance that it leaves has ended', async () => {
  const { hub, old, next } = setUp();
  await old.claim(claimOf('first'));
  await old.offer('client', 'first', 'secret');
  await old.release('client', 'first', 5_000);
  hub.members.delete('old');
  expect(await next.claim(claimOf('second'), 'secret')).toMatchObject({ outcome: 'mine' });
  expect(next.authority('client')).toBe('owner');
});

test('the release of a client that nobody owns, or that another conn owns, changes nothing', async () => {
  const { hub, old } = setUp();
  await old.release('client', 'first');
  await old.claim(claimOf('first'));
  await old.release('client', 'another');
  expect(old.authority('client')).toBe('owner');
  await old.release('client', 'first');
  expect(hub.owners.size).toBe(0);
});

test('the time that a moving client was given is never shortened', async () => {
  const { hub, old } = setUp();
  await old.claim(claimOf('first'));
  await old.release('client', 'first', 60_000);
  const until = hub.owners.get('client')?.movingUntil;
  await old.release('client', 'first', 1_000);
  await old.release('client', 'first');
  expect(hub.owners.get('client')?.movingUntil).toBe(until);
});

test('a client that is released while its owner is asked for it is free', async () => {
  const { hub, old, next } = setUp();
  await old.claim(claimOf('first'));
  const instance = {
    isArriving: () => false,
    probe: async () => {
      await old.release('client', 'first');
      return false;
    },
    evict: () => {},
    promote: () => {},
  } as unknown as Instance;
  hub.members.set('old', { boot: 'old', instanceId: 'old', instance, calls: new Set() });
  expect(await next.claim(claimOf('second'))).toMatchObject({ outcome: 'mine' });
});

test('an offer of a client that nobody owns is none', async () => {
  const { old, next } = setUp();
  await old.offer('client', 'first', 'secret');
  expect(await next.claim(claimOf('second'), 'secret')).toMatchObject({ outcome: 'mine' });
});
