import { startRedis } from '@tabletop-relay/testing';
import { expect, onTestFinished, test } from 'vitest';
import { sendClaim } from '../src/redis/claims/claims.ts';
import { createConnect, runScript } from '../src/redis/connection.ts';
import { keys } from '../src/redis/keys.ts';
import { OFFER } from '../src/redis/scripts/claims.ts';
import type { RedisShard } from '../src/redis/shard/shard.ts';

/** A shard without lease and subscriptions. */
async function openShard(): Promise<RedisShard> {
  const server = await startRedis();
  onTestFinished(() => server.stop());
  const redis = createConnect()(server.url, 'test');
  onTestFinished(() => redis.disconnect());
  await redis.connect();
  const run: RedisShard['run'] = (...input) => runScript(redis, ...input);
  return { run } as RedisShard;
}

const claim = { clientId: 'client-1', accountId: 'account-1', meta: '', epoch: 0 };
const owner = { ...claim, conn: 'owner' };
const newcomer = { ...claim, conn: 'newcomer' };

test('an incumbent that was found dead keeps its client if it asserted its claim since', async () => {
  const shard = await openShard();
  const owned = await sendClaim(shard, 'boot-1', owner);
  if (owned.answer !== 'mine') throw new Error('the first claim was refused');
  const before = await sendClaim(shard, 'boot-2', newcomer);
  if (before.answer !== 'lapsed') throw new Error('a claim without a lease has to be lapsed');
  await sendClaim(shard, 'boot-1', { ...owner, epoch: owned.epoch });
  const after = await sendClaim(shard, 'boot-2', newcomer, before.incumbent);
  if (after.answer !== 'lapsed') throw new Error('the newcomer took the client');
  expect(after.incumbent).toMatchObject({ boot: 'boot-1', conn: 'owner' });
  const taken = await sendClaim(shard, 'boot-2', newcomer, after.incumbent);
  expect(taken).toMatchObject({ answer: 'mine' });
});

test('a claim that is asserted again still offers its client', async () => {
  const shard = await openShard();
  const offering = { ...owner, offered: 'digest' };
  const owned = await sendClaim(shard, 'boot-1', offering);
  if (owned.answer !== 'mine') throw new Error('the first claim was refused');
  await sendClaim(shard, 'boot-1', { ...offering, epoch: owned.epoch });
  const taken = await sendClaim(shard, 'boot-2', { ...newcomer, brought: 'digest' });
  expect(taken).toMatchObject({ answer: 'mine' });
});

test('a claim that offers nothing is not opened by nothing', async () => {
  const shard = await openShard();
  await sendClaim(shard, 'boot-1', owner);
  expect(await sendClaim(shard, 'boot-2', { ...newcomer, brought: '' })).toMatchObject({ answer: 'lapsed' });
});

test('a conn that no longer owns the client offers it to nobody', async () => {
  const shard = await openShard();
  await sendClaim(shard, 'boot-1', owner);
  expect(await shard.run(OFFER, [keys.owner(claim.clientId)], ['an older conn', 'digest'])).toBe(0);
  const after = await sendClaim(shard, 'boot-2', { ...newcomer, brought: 'digest' });
  expect(after).toMatchObject({ answer: 'lapsed' });
});

test('of claims that are asserted again where none stands, the first stays, and an older one does not take it', async () => {
  const shard = await openShard();
  // Both have had the client once, the second after the first. The last owner has gone.
  const first = { ...owner, epoch: 1_000_000 };
  const second = { ...newcomer, epoch: 2_000_000 };
  const stays = await sendClaim(shard, 'boot-1', first);
  if (stays.answer !== 'mine') throw new Error('the first claim was refused');
  expect(stays.epoch).toBeGreaterThan(second.epoch);
  const refused = { answer: 'lapsed', incumbent: { boot: 'boot-1', conn: 'owner' } };
  expect(await sendClaim(shard, 'boot-2', second)).toMatchObject(refused);
  const again = await sendClaim(shard, 'boot-1', { ...owner, epoch: stays.epoch });
  expect(again).toEqual({ answer: 'mine', epoch: stays.epoch });
});
