import type { ClusterLog } from '../../log.ts';
import type { Connection } from '../connection.ts';
import { reconnect } from '../connection.ts';
import { AnotherRedis } from '../identity/identity.ts';
import type { Lease } from './lease.ts';
import { ShardListMismatch } from './lease.ts';
import type { Listener } from './listener.ts';

/** Renews the lease of this instance on one shard, and knows from it whether Redis answers. */
export interface Renewal {
  /** Redis answered the last renewal, and its connection has not been lost since. */
  isAnswering(): boolean;
  /** Does nothing while a renewal is in flight. Never rejects. */
  renew(): Promise<void>;
  /** Counts Redis as unavailable from now on. */
  stop(): void;
  /** Resolves when the lease was taken for the first time. Rejects when the shard list differs. */
  readonly leased: Promise<void>;
}

export interface RenewalOptions {
  name: string;
  redis: Connection;
  lease: Lease;
  listener: Listener;
  log: ClusterLog;
  /** Redis answered. The claims must be asserted again after a lost lease, a lapsed authority or a reconnect. */
  onRenewed: (mustReassert: boolean) => void;
  onSilence: (cause: unknown) => void;
  /** The connection closed, or is dropped. */
  onClose: () => void;
  /** Other instances are asked whether this is their Redis: the answer is of the present connection. */
  isComparing: () => boolean;
}

export function createRenewal(options: RenewalOptions): Renewal {
  const { name, redis, lease, listener, log } = options;
  const { promise: leased, resolve: firstLease, reject: refused } = Promise.withResolvers<void>();
  let answering = false;
  let reconnected = false;
  let silences = 0;
  let renewing = false;

  const onAnswer = (mustReassert: boolean): void => {
    if (!answering) log.info({ shard: name }, 'Redis answers');
    answering = true;
    silences = 0;
    listener.check();
    firstLease();
    options.onRenewed(mustReassert || reconnected);
    reconnected = false;
  };

  const onSilence = (cause: unknown): void => {
    if (answering || cause instanceof ShardListMismatch) {
      log.warn({ shard: name, err: cause }, 'Redis did not renew the lease');
    }
    answering = false;
    silences += 1;
    if (cause instanceof ShardListMismatch) refused(cause);
    // A connection whose peer vanished would wait for the time-outs of TCP, which take minutes.
    else if (silences % 2 === 0 && !(cause instanceof AnotherRedis && options.isComparing())) {
      // What was found on it would be compared in vain.
      options.onClose();
      reconnect(redis);
    }
    options.onSilence(cause);
  };

  const renew = async (): Promise<void> => {
    if (renewing) return;
    renewing = true;
    try {
      onAnswer(await lease.renew(listener.nextHeartbeat()));
    } catch (cause) {
      onSilence(cause);
    } finally {
      renewing = false;
    }
  };

  redis.on('ready', () => {
    reconnected = true;
    void renew();
  });
  redis.on('close', () => {
    options.onClose();
    if (answering) log.warn({ shard: name }, 'the connection to Redis is lost');
    answering = false;
  });

  return { isAnswering: () => answering, renew, stop: () => (answering = false), leased };
}
