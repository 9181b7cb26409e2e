import { createMemoryCluster } from '@tabletop-relay/cluster';
import { operations } from '@tabletop-relay/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createIdempotency } from './idempotency.ts';
import type { Attempt, KeyedCommand } from './idempotency.ts';

const check = operations.find(({ name }) => name === 'skill-check')!;
const secret = operations.find(({ secretAnswer }) => secretAnswer)!;
let keys = 0;

function setUp() {
  const cluster = createMemoryCluster({ instanceId: 'one' });
  const idempotency = createIdempotency({
    reservations: cluster.reservations,
    secrets: ['a secret for tests; long enough.'],
    feed: { subscribe: () => () => {} },
    findDeclared: () => ({}),
  });
  const begin = (given: Partial<KeyedCommand>) =>
    idempotency.begin({
      accountId: 'account', credentialId: 'key', clientId: 'world', operation: check, wire: {}, key: 'k', ...given,
    }); // prettier-ignore
  return { idempotency, begin };
}

const answer = (text = '{"n":1}') => Promise.resolve({ body: Buffer.from(text) });
async function carryOut(attempt: Attempt, text?: string) {
  return 'replay' in attempt ? attempt.replay : await attempt.run(() => answer(text));
}

/** The values in another order of their names, at every depth. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, turned(inner)] as const);
  return Object.fromEntries(entries.toReversed());
}

const wires = fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });

test('a command is the one before it with its parameters in whatever order, and no other', async () => {
  const { begin } = setUp();
  await fc.assert(
    fc.asyncProperty(wires, wires, async (wire, other) => {
      const key = `${++keys}`;
      await carryOut(await begin({ wire, key }));
      const again = turned(wire) as typeof wire;
      expect(await begin({ wire: again, key })).toMatchObject({ replay: {} });
      const isOther = JSON.stringify(sorted(wire)) !== JSON.stringify(sorted(other));
      const outcome = await begin({ wire: other, key }).catch(({ code }: { code: string }) => code);
      expect(typeof outcome === 'string' ? outcome : 'replayed').toBe(
        isOther ? 'idempotency_key_reused' : 'replayed',
      );
    }),
  );
});

/** Names and values as a list, by which two objects compare whatever the order of their names. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return ['list', ...value.map(sorted)];
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, sorted(inner)] as const);
  return ['object', ...entries.toSorted(([one], [two]) => (one < two ? -1 : 1))];
}

test('of an answer that holds a secret it is kept only that the command was done', async () => {
  const { begin } = setUp();
  const given = { operation: secret };
  await carryOut(await begin(given), '{"data":{"password":"plainly"}}');
  await expect(begin(given)).rejects.toMatchObject({ code: 'already_done' });
});

test('nothing is kept of a command whose account was erased while it ran', async () => {
  const { idempotency, begin } = setUp();
  const attempt = await begin({});
  if ('replay' in attempt) throw new Error('the key is new');
  await attempt.run(async () => {
    idempotency.erase('account');
    return await answer();
  });
  expect(await begin({})).toHaveProperty('run');
});
