import { randomBytes } from 'node:crypto';
import type { OtherReading, ReadingStore, RedisReading } from '../../cluster.ts';
import { ClusterUnavailable } from '../../failures.ts';
import type { ClusterLog } from '../../log.ts';
import type { ClusterTimes } from '../times.ts';
import { judgeRedis } from './same-redis.ts';
import type { Verdict } from './same-redis.ts';

/** This is not, or not surely, the Redis of the instances that run on the same database. */
export class AnotherRedis extends ClusterUnavailable {
  override name = 'AnotherRedis';
}

/**
 * Whether the Redis of a shard is that of all instances on the database. On two Redis, two instances would own the same
 * world. So nobody gets a lease before that is known, and whoever comes to another server loses its authority.
 */
export interface Identity {
  /** For the lease scripts: the id that Redis must have, and whether it is written where there is none. */
  expected(): { id: string; mayWrite: boolean };
  /** To be called with the id that a lease script found, '' for none. Throws `AnotherRedis` where it is not that of all. */
  check(found: string): void;
  /** Compares with the other instances, unless that is under way. To be called after each `AnotherRedis`. */
  compare(): void;
  isComparing(): boolean;
  /** The present connection leads to the Redis of all. */
  isSeen(): boolean;
  /** This instance was on the Redis of all, and has come to another. It serves nothing until it is back. */
  isForeign(): boolean;
  /** It starts, and waits for the word of another instance. */
  isWaiting(): boolean;
  /** To be called when the connection closed or is dropped: the next may lead to another server. */
  closed(): void;
  /** What the others are to know. Undefined before an id is agreed. */
  reading(): RedisReading | undefined;
}

export interface IdentityOptions {
  boot: string;
  index: number;
  /** Host and port of the Redis, without credentials. */
  place: string;
  readings: ReadingStore;
  times: Pick<ClusterTimes, 'wordMs'>;
  log: ClusterLog;
  /** It is the Redis of all now, so that a lease can be had. */
  onOurs: (wasForeign: boolean) => void;
  onForeign: () => void;
}

/** What was found, on one connection. */
interface Look {
  readonly found: string;
  at: number;
}

/** A question to Postgres without an answer is asked again after so long. */
const abandonedMs = 3_000;

// oxlint-disable-next-line max-lines-per-function -- One state machine: its short functions share what is known of the Redis.
export function createIdentity(options: IdentityOptions): Identity {
  const { boot, index, place, readings, log } = options;
  const { wordMs } = options.times;
  const candidate = randomBytes(12).toString('hex');
  let own: string | undefined;
  let hasServed = false;
  let isForeign = false;
  /** Undefined until this connection has found something. */
  let look: Look | undefined;
  let last: Look = { found: '', at: 0 };
  let mayWrite = false;
  let noneSince: number | undefined;
  let askingSince: number | undefined;
  let askedAt = -Infinity;
  let other: OtherReading | undefined;

  const isComparing = (): boolean => performance.now() - askedAt < abandonedMs;
  const isSeen = (): boolean => !isForeign && own !== undefined && look?.found === own;

  const problem = (): AnotherRedis => {
    const theirs = other ? `that of ${other.instanceId} (${other.place})` : 'the one of its start';
    if (isForeign || (other && last.found !== '')) return new AnotherRedis(`another Redis than ${theirs}`);
    if (other) return new AnotherRedis(`empty, so another Redis than ${theirs}`);
    return new AnotherRedis('not compared yet with the Redis of other instances');
  };

  const readingOf = (id: string, { found, at }: Look): RedisReading => {
    return { id, found, place, ageMs: Math.round(performance.now() - at) };
  };

  const becomeForeign = (): void => {
    if (isForeign) return;
    isForeign = true;
    log.error({ shard: place, err: problem() }, 'this instance has come to another Redis: it serves nothing');
    options.onForeign();
  };

  const apply = (verdict: Verdict, id: string, { found }: Look): void => {
    if (verdict.is === 'unclear' && !other)
      log.warn(
        { shard: place, other: verdict.other },
        'waiting for the word of another instance on its Redis',
      );
    other = verdict.other;
    if (verdict.is === 'foreign') becomeForeign();
    if (verdict.is !== 'ours') return;
    const wasForeign = isForeign;
    own = id;
    isForeign = false;
    mayWrite = found === '';
    options.onOurs(wasForeign);
  };

  const ask = async (asked: Look): Promise<void> => {
    const id = hasServed && own !== undefined ? own : asked.found || candidate;
    let verdict: Verdict | undefined;
    await readings.tell({ boot, shard: index }, (others) => {
      const now = performance.now();
      const noneForMs = now - (noneSince ?? now);
      const askingForMs = now - (askingSince ?? now);
      verdict = judgeRedis({ id, found: asked.found, hasServed, noneForMs, askingForMs, wordMs }, others);
      // One that may not start is nobody whom others have to agree with.
      return hasServed || verdict.is === 'ours' ? readingOf(id, asked) : undefined;
    });
    // Else the connection, or what it leads to, has changed meanwhile.
    if (verdict && look === asked) apply(verdict, id, asked);
  };

  return {
    expected: () => ({ id: isForeign ? '' : (own ?? ''), mayWrite: isSeen() || (mayWrite && !isForeign) }),
    check: (found) => {
      const at = performance.now();
      if (look?.found === found) look.at = at;
      else look = { found, at };
      last = look;
      noneSince = found === '' ? (noneSince ?? at) : undefined;
      if (isSeen()) {
        hasServed = true;
        other = askingSince = undefined;
        return;
      }
      askingSince ??= at;
      if (hasServed && found !== '' && found !== own) becomeForeign();
      throw problem();
    },
    compare: () => {
      if (!look || isComparing()) return;
      askedAt = performance.now();
      const asked = ask(look).catch((cause: unknown) =>
        log.warn({ shard: place, err: cause }, 'Redis could not be compared with that of other instances'),
      );
      void asked.finally(() => (askedAt = -Infinity));
    },
    isComparing,
    isSeen,
    isForeign: () => isForeign,
    isWaiting: () => !hasServed && other !== undefined,
    closed: () => {
      look = undefined;
      mayWrite = false;
    },
    reading: () => (own === undefined ? undefined : readingOf(own, last)),
  };
}
