import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFakeFeed } from '../../../test/credentials/fake-feed.ts';
import { createCredentialCache } from './credential-cache.ts';
import type { CredentialEvent } from './credential-feed.ts';

interface Stored {
  accountId: string;
  version: number;
}

type Spoken = Pick<CredentialEvent, 'subject' | 'change'>;

/** A cache whose reads see the store as it is when they begin, and answer when they are told to. */
function createCache(kind: 'key' | 'token' = 'key') {
  const { feed, say } = createFakeFeed();
  const store = new Map<string, Stored>();
  const reads: { hash: string; answer: () => void; fail: () => void }[] = [];
  const state = { isHeld: false, isFresh: true };
  const cache = createCredentialCache<Stored>({
    feed: { ...feed, isFresh: () => state.isFresh },
    kind,
    idOf: ({ accountId }) => accountId,
    read: async (hash) => {
      const found = store.get(hash);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      reads.push({ hash, answer: resolve, fail: () => reject(new Error('away')) });
      if (!state.isHeld) resolve();
      await promise;
      return found;
    },
  });
  const tell = (accountId: string, spoken: Spoken = { subject: 'account', change: 'changed' }) =>
    say({ accountId, subjectId: accountId, ...spoken });
  return { cache, store, reads, state, tell };
}

const settle = () => new Promise((resolve) => void setImmediate(resolve));

describe('the credential cache', () => {
  it('reads once for many who ask at once, and answers synchronously from then on', async () => {
    const { cache, store, reads } = createCache();
    store.set('h', { accountId: 'a', version: 1 });
    expect(cache.get('h')).toBeUndefined();
    await Promise.all(Array.from({ length: 50 }, () => cache.load('h')));
    expect(reads).toHaveLength(1);
    expect(cache.get('h')).toEqual({ accountId: 'a', version: 1 });
  });

  it('forgets an account when anything of it changes, and no other', async () => {
    const { cache, store, tell } = createCache();
    store.set('h', { accountId: 'a', version: 1 });
    store.set('other', { accountId: 'b', version: 1 });
    await cache.load('h');
    await cache.load('other');
    tell('a');
    expect(cache.get('h')).toBeUndefined();
    expect(cache.get('other')).toBeDefined();
  });

  it('believes nothing while the feed is not fresh', async () => {
    const { cache, store, state } = createCache();
    store.set('h', { accountId: 'a', version: 1 });
    await cache.load('h');
    state.isFresh = false;
    expect(cache.get('h')).toBeUndefined();
  });

  it('answers no read that began before a change of the account', async () => {
    const { cache, store, reads, state, tell } = createCache();
    store.set('h', { accountId: 'a', version: 1 });
    state.isHeld = true;
    const loading = cache.load('h');
    store.delete('h');
    tell('a');
    reads[0]?.answer();
    await settle();
    reads[1]?.answer();
    expect(await loading).toBeUndefined();
    expect(cache.get('h')).toBeUndefined();
  });

  it('joins nobody who asks after a change to a read that began before it', async () => {
    const { cache, store, reads, state, tell } = createCache();
    store.set('h', { accountId: 'a', version: 1 });
    state.isHeld = true;
    void cache.load('h').catch(() => {});
    store.delete('h');
    tell('a');
    const later = cache.load('h');
    // The first read never answers: it may hang on a connection that is gone.
    reads[1]?.answer();
    expect(await later).toBeUndefined();
  });

  it('gives up on an account that changes during every read, and answers the next who asks', async () => {
    const { cache, store, reads, state, tell } = createCache();
    store.set('h', { accountId: 'a', version: 1 });
    state.isHeld = true;
    const loading = cache.load('h');
    const outcome = loading.catch((error: unknown) => String(error));
    for (let i = 0; i < 5; i++) {
      tell('a');
      reads[i]?.answer();
      await settle();
    }
    expect(await outcome).toMatch(/changed during each of 5 reads/);
    expect(reads).toHaveLength(5);
    state.isHeld = false;
    expect(await cache.load('h')).toEqual({ accountId: 'a', version: 1 });
  });

  it('remembers for a while that there is none', async () => {
    const { cache, reads } = createCache();
    expect(await cache.load('none')).toBeUndefined();
    expect(await cache.load('none')).toBeUndefined();
    expect(reads).toHaveLength(1);
  });

  it('reads again after a read that failed', async () => {
    const { cache, store, reads, state } = createCache();
    store.set('h', { accountId: 'a', version: 1 });
    state.isHeld = true;
    const failing = cache.load('h');
    reads[0]?.fail();
    await expect(failing).rejects.toThrow('away');
    state.isHeld = false;
    expect(await cache.load('h')).toEqual({ accountId: 'a', version: 1 });
  });

  it.each([
    ['key', { subject: 'key', change: 'revoked' }, false],
    ['key', { subject: 'client', change: 'revoked' }, false],
    ['key', { subject: 'token', change: 'revoked' }, true],
    ['key', { subject: 'session', change: 'revoked' }, true],
    ['key', { subject: 'account', change: 'blocked' }, false],
    ['key', { subject: 'account', change: 'sessions_ended' }, true],
    ['token', { subject: 'token', change: 'changed' }, false],
    ['token', { subject: 'client', change: 'revoked' }, false],
    ['token', { subject: 'key', change: 'revoked' }, true],
    ['token', { subject: 'account', change: 'sessions_ended' }, true],
  ] as const)('of %ss at %j keeps what it cannot have changed: %s', async (kind, event, isKept) => {
    const { cache, store, tell } = createCache(kind);
    store.set('h', { accountId: 'a', version: 1 });
    await cache.load('h');
    tell('a', event);
    expect(cache.get('h') !== undefined).toBe(isKept);
  });

  it('looks at the credentials of an event’s account alone, though it keeps 20,000', async () => {
    const { cache, store, tell } = createCache();
    let looks = 0;
    const counted = (accountId: string) => ({
      version: 1,
      get accountId() {
        looks++;
        return accountId;
      },
    });
    for (let i = 0; i < 20_000; i++) store.set(`h${i}`, counted(`account ${i % 10_000}`));
    for (const hash of store.keys()) await cache.load(hash);
    looks = 0;
    tell('account 5');
    tell('nobody’s');
    expect(looks).toBeLessThanOrEqual(2);
    expect([cache.get('h5'), cache.get('h10005')]).toEqual([undefined, undefined]);
    expect(cache.get('h6')).toBeDefined();
  });

  it('forgets what took the place of a credential that was pushed out', async () => {
    const { cache, store, tell } = createCache();
    for (let i = 0; i <= 20_000; i++) store.set(`h${i}`, { accountId: 'a', version: 1 });
    for (const hash of store.keys()) await cache.load(hash);
    expect(cache.get('h0')).toBeUndefined();
    await cache.load('h0');
    tell('a');
    for (const hash of ['h0', 'h1', 'h20000']) expect(cache.get(hash)).toBeUndefined();
  });
});

type Step =
  | { do: 'load'; hash: string }
  | { do: 'change'; hash: string }
  | { do: 'revoke'; hash: string }
  | { do: 'hear'; account: string }
  | { do: 'answer'; index: number };

const accountOf = (hash: string) => (hash === 'z' ? 'b' : 'a');
const hash = fc.constantFrom('x', 'y', 'z');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('load' as const), hash }),
  fc.record({ do: fc.constant('change' as const), hash }),
  fc.record({ do: fc.constant('revoke' as const), hash }),
  fc.record({ do: fc.constant('hear' as const), account: fc.constantFrom('a', 'b') }),
  fc.record({ do: fc.constant('answer' as const), index: fc.nat(4) }),
);

it('in any order of changes, news and answers nothing older than the last news is believed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }), async (steps) => {
      const { cache, store, reads, state, tell } = createCache();
      state.isHeld = true;
      for (const each of ['x', 'y', 'z']) store.set(each, { accountId: accountOf(each), version: 1 });
      let version = 1;
      // What each hash was when its account was last heard of; 0: it was gone.
      const heard = new Map<string, number>();
      const stale: unknown[] = [];
      const check = (each: string, answer: Stored | undefined) => {
        const least = heard.get(each) ?? 1;
        if (answer && (least === 0 || answer.version < least)) stale.push({ each, answer, least });
      };
      // An account that changed during every read is no answer at all.
      const load = async (each: string) => {
        const answer = await cache.load(each).catch(() => undefined);
        check(each, answer);
      };
      for (const each of steps) {
        if (each.do === 'load') void load(each.hash);
        else if (each.do === 'change' && store.has(each.hash)) {
          store.set(each.hash, { accountId: accountOf(each.hash), version: ++version });
        } else if (each.do === 'revoke') store.delete(each.hash);
        else if (each.do === 'answer') reads.splice(each.index, 1)[0]?.answer();
        else if (each.do === 'hear') {
          tell(each.account);
          for (const known of ['x', 'y', 'z']) {
            if (accountOf(known) === each.account) heard.set(known, store.get(known)?.version ?? 0);
          }
        }
        // Sometimes several happen in one turn of the loop.
        if (each.do === 'answer') await settle();
        for (const known of ['x', 'y', 'z']) {
          const kept = cache.get(known);
          if (kept) check(known, kept);
        }
      }
      expect(stale).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

/** A cache of the keys of one account, each of which has its hash as its id. */
function createNamedCache(max = 100) {
  const { feed, say } = createFakeFeed();
  const lookedAt: string[] = [];
  const cache = createCredentialCache<{ accountId: string; id: string }>({
    feed,
    kind: 'key',
    idOf: ({ id }) => (lookedAt.push(id), id),
    read: (hash) => Promise.resolve({ accountId: 'a', id: hash }),
    max,
  });
  const tell = (spoken: Pick<CredentialEvent, 'subject' | 'change' | 'subjectId'>) =>
    say({ accountId: 'a', ...spoken });
  return { cache, tell, lookedAt };
}

it('an event that names a key takes that one from the cache; one of a deleted world takes all of its account', async () => {
  const { cache, tell } = createNamedCache();
  const cached = () => ['one', 'two'].filter((hash) => cache.get(hash));
  await Promise.all([cache.load('one'), cache.load('two')]);

  tell({ subject: 'key', change: 'changed', subjectId: 'a new one' });
  expect(cached()).toEqual(['one', 'two']);
  tell({ subject: 'key', change: 'revoked', subjectId: 'one' });
  expect(cached()).toEqual(['two']);
  tell({ subject: 'client', change: 'revoked', subjectId: 'two' });
  expect(cached()).toEqual([]);
});

it('nothing is kept of a key that was pushed out', async () => {
  const { cache, tell, lookedAt } = createNamedCache(1);
  await cache.load('one');
  await cache.load('two');
  tell({ subject: 'key', change: 'changed', subjectId: 'a new one' });
  expect(lookedAt).toEqual(['two']);
});
