import { expect, test } from 'vitest';
import { createCredentialCache } from './credential-cache.ts';
import type { CredentialEvent } from './credential-event.ts';

/** A cache of the keys of one account, each of which has its hash as its id. */
function createCache(max = 100) {
  let hear = (_event: CredentialEvent): void => {};
  const lookedAt: string[] = [];
  const cache = createCredentialCache<{ accountId: string; id: string }>({
    feed: {
      isFresh: () => true,
      subscribe: (listener) => {
        hear = listener;
        return () => {};
      },
    },
    kind: 'key',
    idOf: ({ id }) => (lookedAt.push(id), id),
    read: (hash) => Promise.resolve({ accountId: 'a', id: hash }),
    max,
  });
  const tell = (spoken: Pick<CredentialEvent, 'subject' | 'change' | 'subjectId'>) =>
    hear({ id: '1', accountId: 'a', ...spoken });
  return { cache, tell, lookedAt };
}

test('an event that names a key takes that one from the cache; one of a deleted world takes all of its account', async () => {
  const { cache, tell } = createCache();
  const cached = () => ['one', 'two'].filter((hash) => cache.get(hash));
  await Promise.all([cache.load('one'), cache.load('two')]);

  tell({ subject: 'key', change: 'changed', subjectId: 'a new one' });
  expect(cached()).toEqual(['one', 'two']);
  tell({ subject: 'key', change: 'revoked', subjectId: 'one' });
  expect(cached()).toEqual(['two']);
  tell({ subject: 'client', change: 'revoked', subjectId: 'two' });
  expect(cached()).toEqual([]);
});

test('nothing is kept of a key that was pushed out', async () => {
  const { cache, tell, lookedAt } = createCache(1);
  await cache.load('one');
  await cache.load('two');
  tell({ subject: 'key', change: 'changed', subjectId: 'a new one' });
  expect(lookedAt).toEqual(['two']);
});
