import { describe, expect, it, vi } from 'vitest';
import { createFakeConnection } from '../../../test/fakes/fake-connection.ts';
import { settle } from '../../../test/fakes/fake-shard.ts';
import { keys } from '../keys.ts';
import { GIVE_UP, RENEW, TAKE } from '../scripts/lease.ts';
import { defaultTimes } from '../times.ts';
import { ShardListMismatch, createLease, shardListFingerprint } from './lease.ts';

function createTestLease() {
  const redis = createFakeConnection();
  const check = vi.fn<(found: string) => void>();
  const lease = createLease({
    boot: 'boot',
    instanceId: 'relay-1',
    redis: redis.connection,
    fingerprint: 'list',
    identity: { expected: () => ({ id: 'its id', mayWrite: true }), check },
    times: defaultTimes,
  });
  const names = new Map([
    [TAKE.sha, 'take'],
    [RENEW.sha, 'renew'],
    [GIVE_UP.sha, 'give up'],
  ]);
  const scripts = () => redis.sent.map(({ args }) => names.get(String(args[0])));
  const argumentsOf = (index: number) => redis.sent[index]?.args.map(String) ?? [];
  async function answer(granted: 0 | 1, redisTime = '1000') {
    redis.sent.at(-1)?.answer.resolve([granted, redisTime, 'its id']);
    await settle();
  }
  return { lease, redis, check, scripts, argumentsOf, answer };
}

/** Where the token stands: behind the hash, the number of keys, and four keys. */
const tokenAt = 6;

describe('a lease', () => {
  it('is taken first, and renewed from then on under the same token, which names the instance', async () => {
    const { lease, scripts, argumentsOf, answer } = createTestLease();
    const taken = lease.renew(1);
    await answer(1);
    expect(await taken).toBe(true);
    expect(lease.isUsable()).toBe(true);
    const renewed = lease.renew(2);
    await answer(1);
    expect(await renewed).toBe(false);
    expect(scripts()).toEqual(['take', 'renew']);
    const token = argumentsOf(0)[tokenAt];
    expect(token).toMatch(/^[0-9a-f]{16} relay-1$/);
    expect(argumentsOf(1)[tokenAt]).toBe(token);
    expect(argumentsOf(0).at(-1)).toBe('list');
  });

  it('that has ended is taken anew under another token, and the claims are to be asserted again', async () => {
    const { lease, scripts, argumentsOf, answer } = createTestLease();
    void lease.renew(1);
    await answer(1);
    const again = lease.renew(2);
    await answer(0);
    await answer(1);
    expect(await again).toBe(true);
    expect(scripts()).toEqual(['take', 'renew', 'take']);
    expect(argumentsOf(2)[tokenAt]).not.toBe(argumentsOf(0)[tokenAt]);
  });

  it('is refused to an instance that has another list of shards', async () => {
    const { lease, answer } = createTestLease();
    const refused = lease.renew(1).catch((error: unknown) => error);
    await answer(0);
    expect(await refused).toBeInstanceOf(ShardListMismatch);
    expect(lease.isUsable()).toBe(false);
  });

  it('is not had on another Redis, whose answer says nothing of it', async () => {
    const { lease, redis, check, argumentsOf, answer } = createTestLease();
    const other = new Error('another Redis');
    check.mockImplementationOnce(() => {
      throw other;
    });
    const refused = lease.renew(1).catch((error: unknown) => error);
    redis.sent.at(-1)?.answer.resolve([1, '1000', 'another id']);
    expect(await refused).toBe(other);
    expect(check).toHaveBeenCalledWith('another id');
    expect([lease.isUsable(), lease.redisNow()]).toEqual([false, 0]);
    expect(argumentsOf(0)).toEqual(expect.arrayContaining([keys.id, 'its id', '1']));
    // The answer may have been lost, so the same token is renewed; here there is none.
    const again = lease.renew(2);
    await answer(0);
    await answer(1);
    expect(await again).toBe(true);
  });

  it('has no authority once that is ended, until it is renewed: in a new term', async () => {
    const { lease, answer } = createTestLease();
    void lease.renew(1);
    await answer(1);
    const term = lease.term();
    lease.end();
    expect([lease.isUsable(), lease.authority(term)]).toEqual([false, 'frozen']);
    const renewed = lease.renew(2);
    await answer(1);
    expect(await renewed).toBe(true);
    expect([lease.authority(term), lease.authority(lease.term())]).toEqual(['frozen', 'owner']);
  });

  it('is given up under its token, and its authority ends before that is answered', async () => {
    const { lease, redis, scripts, argumentsOf, answer } = createTestLease();
    void lease.renew(1);
    await answer(1);
    const given = lease.giveUp();
    expect(lease.isUsable()).toBe(false);
    redis.sent.at(-1)?.answer.resolve(1);
    await given;
    expect(scripts()).toEqual(['take', 'give up']);
    expect(argumentsOf(1).slice(1)).toEqual(['1', keys.lease('boot'), argumentsOf(0)[tokenAt]]);
  });

  it('tells the time of Redis from its first answer on', async () => {
    const { lease, answer } = createTestLease();
    expect(lease.redisNow()).toBe(0);
    void lease.renew(1);
    await answer(1, '5000000');
    expect(lease.redisNow()).toBeGreaterThanOrEqual(5_000_000);
    expect(lease.redisNow()).toBeLessThan(5_010_000);
  });
});

describe('the fingerprint of a list of shards', () => {
  it('tells by address, order and path which list it is', () => {
    const lists = [
      ['redis://a:6379'],
      ['redis://b:6379'],
      ['redis://a:6379', 'redis://b:6379'],
      ['redis://b:6379', 'redis://a:6379'],
      ['redis://a:6380'],
      ['redis://a:6379/1'],
      ['redis://a:6379#one'],
    ];
    expect(new Set(lists.map(shardListFingerprint)).size).toBe(lists.length);
  });

  it('has neither credentials nor what is said without saying it', () => {
    const fingerprint = shardListFingerprint(['redis://a:6379']);
    expect(fingerprint).toMatch(/^[0-9a-f]{16}$/);
    for (const url of ['redis://a', 'redis://a/', 'redis://user:secret@a:6379'])
      expect(shardListFingerprint([url])).toBe(fingerprint);
  });

  it('is that of a fragment, whatever the address', () => {
    expect(shardListFingerprint(['redis://10.0.0.5#one'])).toBe(
      shardListFingerprint(['redis://10.1.0.5#one']),
    );
  });
});
