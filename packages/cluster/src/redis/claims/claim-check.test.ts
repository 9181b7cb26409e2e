import { expect, it, vi } from 'vitest';
import type { Instance } from '../../cluster.ts';
import { createClaimCheck, createClaims } from './claims.ts';
import { claimOn, createFakeShard, settle } from '../../../test/fakes/fake-shard.ts';

/** An instance whose sockets answer a probe as the test says. */
function setUp() {
  const fake = createFakeShard();
  const claims = createClaims();
  const probes: { conn: string; answer: PromiseWithResolvers<boolean> }[] = [];
  const evict = vi.fn<(conn: string, why: string) => void>();
  const arriving = new Set<string>();
  const instance = {
    probe: (conn: string) => {
      const answer = Promise.withResolvers<boolean>();
      probes.push({ conn, answer });
      return answer.promise;
    },
    evict,
    isArriving: (conn: string) => arriving.has(conn),
  } as unknown as Instance;
  const shardOf = () => fake.shard;
  const claimCheck = createClaimCheck({ boot: 'boot', claims, shardOf, instance: () => instance });
  return { ...claimCheck, fake, claims, probes, evict, arriving };
}

it('a socket that answers is alive, and one that is being let in is not even asked', async () => {
  const { check, fake, claims, probes, evict, arriving } = setUp();
  const answer = check('client', 'conn');
  probes[0]?.answer.resolve(true);
  expect(await answer).toBe('alive');
  claims.claiming.add('new');
  arriving.add('not open yet');
  for (const conn of ['new', 'not open yet']) expect(await check('client', conn)).toBe('alive');
  expect(probes).toHaveLength(1);
  expect([evict.mock.calls, fake.runs]).toEqual([[], []]);
});

it('a socket that does not answer loses its client, and its claim is released before that is told', async () => {
  const { check, fake, claims, probes, evict } = setUp();
  claims.owned.set('client', claimOn(fake, 'conn'));
  const told = vi.fn<(life: string) => void>();
  void check('client', 'conn').then(told);
  probes[0]?.answer.resolve(false);
  await settle();
  expect(evict.mock.calls).toEqual([['conn', 'silent']]);
  expect(claims.owned.size).toBe(0);
  expect(fake.runs[0]?.args).toEqual(['conn', 0, 0, 'unknown']);
  expect(told).not.toHaveBeenCalled();
  fake.runs[0]?.answer.resolve(1);
  await settle();
  expect(told.mock.calls).toEqual([['gone']]);
});

it('a socket that closed soon after its claim has gone, though the claim is not released yet', async () => {
  const { check, fake, claims, probes } = setUp();
  claims.owned.set('client', claimOn(fake, 'conn', { claimedAt: performance.now() - 3_000 }));
  const answer = check('client', 'conn');
  probes[0]?.answer.resolve(false);
  await settle();
  fake.runs[0]?.answer.resolve(1);
  expect(await answer).toBe('gone');
  expect(claims.owned.size).toBe(0);
});

it('a conn is probed once for all who ask at the same time, and again for the next', async () => {
  const { check, probes } = setUp();
  const answers = [check('client', 'conn'), check('client', 'conn')];
  expect(probes).toHaveLength(1);
  probes[0]?.answer.resolve(true);
  expect(await Promise.all(answers)).toEqual(['alive', 'alive']);
  void check('client', 'conn');
  expect(probes).toHaveLength(2);
});

it('a claim without a socket, and of this instance, becomes moving for 5 s', async () => {
  const { releaseStale, fake } = setUp();
  releaseStale('client');
  releaseStale('client');
  expect(fake.commands).toMatchObject([{ name: 'hmget', args: ['r:own:client', 'boot', 'conn'] }]);
  fake.commands[0]?.answer.resolve(['boot', 'stale']);
  await settle();
  expect(fake.runs.map(({ args }) => args)).toEqual([['stale', 5_000, 1_667, 'unknown']]);
  fake.runs[0]?.answer.resolve(1);
  await settle();
  releaseStale('client');
  expect(fake.commands).toHaveLength(2);
});

it.each([
  ['another instance’s', ['another boot', 'conn']],
  ['nobody’s', [null, null]],
  ['of no conn', ['boot', null]],
  ['of a conn that is claiming', ['boot', 'claiming']],
  ['of the conn that serves it', ['boot', 'own']],
])('a claim that is %s stays', async (_whose, owner) => {
  const { releaseStale, fake, claims } = setUp();
  claims.claiming.add('claiming');
  claims.owned.set('client', claimOn(fake, 'own'));
  releaseStale('client');
  fake.commands[0]?.answer.resolve(owner);
  await settle();
  expect(fake.runs).toEqual([]);
});
