import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakeConnection } from '../../../test/fakes/fake-connection.ts';
import { settle } from '../../../test/fakes/fake-shard.ts';
import { AnotherRedis } from '../identity/identity.ts';
import type { Lease } from './lease.ts';
import { ShardListMismatch } from './lease.ts';
import type { Listener } from './shard.ts';
import { createRenewal } from './shard.ts';

const onRenewed = vi.fn<(mustReassert: boolean) => void>();
const onSilence = vi.fn<(cause: unknown) => void>();
const onClose = vi.fn<() => void>();
const isComparing = vi.fn<() => boolean>(() => false);
const check = vi.fn<() => void>();
beforeEach(() => vi.clearAllMocks());

function createTestRenewal() {
  const redis = createFakeConnection();
  const asked: (PromiseWithResolvers<boolean> & { heartbeat: number })[] = [];
  const logged: string[] = [];
  const note = (level: string) => (_fields: object, message: string) =>
    void logged.push(`${level} ${message}`);
  let heartbeats = 0;
  const renewal = createRenewal({
    name: 'shard',
    redis: redis.connection,
    lease: {
      renew: (heartbeat: number) => {
        const answer = Promise.withResolvers<boolean>();
        asked.push({ ...answer, heartbeat });
        return answer.promise;
      },
    } as Lease,
    listener: { nextHeartbeat: () => ++heartbeats, check } as unknown as Listener,
    log: { info: note('info'), warn: note('warn'), error: note('error') },
    onRenewed,
    onSilence,
    onClose,
    isComparing,
  });
  /** A renewal that is answered with this, or fails by this error. */
  async function renew(answer: boolean | Error) {
    const renewed = renewal.renew();
    if (answer instanceof Error) asked.at(-1)?.reject(answer);
    else asked.at(-1)?.resolve(answer);
    await renewed;
  }
  return { renewal, redis, asked, logged, renew };
}

const answered = 'info Redis answers';
const silent = 'warn Redis did not renew the lease';

describe('a renewal', () => {
  it('that is answered counts Redis as there, and has the heartbeats looked at', async () => {
    const { renewal, asked, logged, renew } = createTestRenewal();
    expect(renewal.isAnswering()).toBe(false);
    await renew(true);
    await renewal.leased;
    await renew(false);
    expect(renewal.isAnswering()).toBe(true);
    expect(asked.map(({ heartbeat }) => heartbeat)).toEqual([1, 2]);
    expect(onRenewed.mock.calls).toEqual([[true], [false]]);
    expect(check).toHaveBeenCalledTimes(2);
    expect(logged).toEqual([answered]);
  });

  it('is not sent while another is in flight', async () => {
    const { renewal, asked } = createTestRenewal();
    void renewal.renew();
    await renewal.renew();
    expect(asked).toHaveLength(1);
    asked[0]?.resolve(false);
    await settle();
    void renewal.renew();
    expect(asked).toHaveLength(2);
  });

  it('that fails counts Redis as away, warns once, and dials again after each second one', async () => {
    const { renewal, redis, logged, renew } = createTestRenewal();
    await renew(true);
    const cause = new Error('late');
    await renew(cause);
    expect(renewal.isAnswering()).toBe(false);
    expect(onSilence).toHaveBeenCalledWith(cause);
    expect(redis.disconnect).not.toHaveBeenCalled();
    await renew(cause);
    expect(redis.disconnect.mock.calls).toEqual([[true]]);
    await renew(cause);
    await renew(cause);
    expect(redis.disconnect).toHaveBeenCalledTimes(2);
    await renew(false);
    await renew(cause);
    expect(redis.disconnect).toHaveBeenCalledTimes(2);
    expect(logged).toEqual([answered, silent, answered, silent]);
  });

  it('that finds another Redis keeps the connection while others are asked of it, and then dials again', async () => {
    const { redis, renew } = createTestRenewal();
    const cause = new AnotherRedis('empty');
    isComparing.mockReturnValueOnce(true);
    await renew(cause);
    await renew(cause);
    expect([redis.disconnect.mock.calls, onClose.mock.calls]).toEqual([[], []]);
    await renew(cause);
    await renew(cause);
    // What was found on it is not compared any more.
    expect([redis.disconnect.mock.calls, onClose.mock.calls]).toEqual([[[true]], [[]]]);
  });

  it('that fails before any was answered says nothing, for the start waits for it anyway', async () => {
    const { logged, renew } = createTestRenewal();
    await renew(new Error('late'));
    expect(logged).toEqual([]);
  });

  it('that is refused for another list of shards ends the start, and says so', async () => {
    const { renewal, redis, logged, renew } = createTestRenewal();
    const refused = new ShardListMismatch('another list');
    const started = renewal.leased.catch((error: unknown) => error);
    await renew(refused);
    await renew(refused);
    expect(await started).toBe(refused);
    expect(logged).toEqual([silent, silent]);
    expect(redis.disconnect).not.toHaveBeenCalled();
  });
});

describe('a connection', () => {
  it('that is ready again is renewed at once, and the claims are to be asserted again', async () => {
    const { redis, asked, renew } = createTestRenewal();
    await renew(true);
    redis.events.emit('ready');
    asked.at(-1)?.resolve(false);
    await settle();
    await renew(false);
    expect(onRenewed.mock.calls).toEqual([[true], [true], [false]]);
  });

  it('that closes counts Redis as away, and warns once', async () => {
    const { renewal, redis, logged, renew } = createTestRenewal();
    await renew(false);
    redis.events.emit('close');
    redis.events.emit('close');
    expect(renewal.isAnswering()).toBe(false);
    expect(onClose).toHaveBeenCalledTimes(2);
    expect(logged).toEqual([answered, 'warn the connection to Redis is lost']);
  });

  it('of an instance that stops is away without a warning', async () => {
    const { renewal, redis, logged, renew } = createTestRenewal();
    await renew(false);
    renewal.stop();
    expect(renewal.isAnswering()).toBe(false);
    redis.events.emit('close');
    expect(logged).toEqual([answered]);
  });
});
