import { expect, it } from 'vitest';
import { confirmClaims, createClaims, sendClaim } from './claims.ts';
import { expected } from '../../standbys.ts';
import { claimOn, createFakeShard, settle } from '../../../test/fakes/fake-shard.ts';

it('a release ends the claim of its own conn alone', async () => {
  const fake = createFakeShard();
  const claims = createClaims();
  claims.owned.set('client', claimOn(fake, 'newer'));
  claims.lose('client', 'older');
  void claims.release(fake.shard, 'client', 'older');
  expect(claims.owned.get('client')?.conn).toBe('newer');
  void claims.release(fake.shard, 'client', 'newer', expected(1_500.4));
  expect(claims.owned.size).toBe(0);
  expect(fake.runs.map(({ args }) => args)).toEqual([
    ['older', 0, 0, 'unknown'],
    ['newer', 1_500, 500, 'unknown'],
  ]);
});

it('what a shard did not answer is sent again once it answers, and nothing that is another shard’s', async () => {
  const [silent, other] = [createFakeShard(0), createFakeShard(1)];
  const claims = createClaims();
  claims.owned.set('client', claimOn(silent, 'moving'));
  void claims.offer('client', 'moving', 'digest');
  void claims.release(silent.shard, 'gone', 'conn');
  for (const { answer } of silent.runs) answer.reject(new Error('away'));
  await settle();
  claims.flush(other.shard);
  expect([silent.runs.length, other.runs.length]).toEqual([2, 0]);
  claims.flush(silent.shard);
  expect(silent.runs.slice(2).map(({ args }) => args)).toEqual([
    ['moving', 'digest'],
    ['conn', 0, 0, 'unknown'],
  ]);
  for (const { answer } of silent.runs.slice(2)) answer.resolve(1);
  await settle();
  claims.flush(silent.shard);
  expect(silent.runs).toHaveLength(4);
});

it('an offer is made by the conn that owns the client, and not again once it owns it no more', async () => {
  const fake = createFakeShard();
  const claims = createClaims();
  claims.owned.set('client', claimOn(fake, 'owner'));
  await claims.offer('client', 'another', 'digest');
  await claims.offer('unknown', 'owner', 'digest');
  expect(fake.runs).toEqual([]);
  void claims.offer('client', 'owner', 'digest');
  fake.runs[0]?.answer.reject(new Error('away'));
  await settle();
  claims.lose('client', 'owner');
  claims.flush(fake.shard);
  expect(fake.runs).toHaveLength(1);
});

it('the incumbent of a client is named by what its lease says', async () => {
  const fake = createFakeShard();
  const asked = sendClaim(fake.shard, 'boot', { ...claimOn(fake, 'conn'), epoch: 0 });
  fake.runs[0]?.answer.resolve(['held', 'its boot', 'its conn', '7', 'token relay-1']);
  expect(await asked).toEqual({
    answer: 'held',
    incumbent: { boot: 'its boot', conn: 'its conn', instanceId: 'relay-1', confirmed: '7' },
  });
});

it('claims are confirmed by their conn, epoch and offer; those that Redis has otherwise come back', async () => {
  const fake = createFakeShard();
  const mine = ['a', 'b', 'c'].map((clientId) =>
    claimOn(fake, `conn ${clientId}`, { clientId, ...(clientId === 'b' && { offered: 'digest' }) }),
  );
  const others = confirmClaims(fake.shard, mine);
  fake.runs[0]?.answer.resolve([2]);
  expect(await others).toEqual([mine[1]]);
  expect(fake.runs[0]?.keys).toHaveLength(3);
  expect(new Set(fake.runs[0]?.keys).size).toBe(3);
  expect(fake.runs[0]?.args.slice(1)).toEqual(['conn a', 3, '', 'conn b', 3, 'digest', 'conn c', 3, '']);
});
