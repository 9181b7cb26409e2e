import type { Claim, ClaimOutcome, Instance } from '../../cluster.ts';
import { ClusterUnavailable } from '../../failures.ts';
import { vacated, yielded } from '../../standbys.ts';
import { maxStandbys } from '../../cluster.ts';
import type { Standby, Standbys } from '../../cluster.ts';
import { keys } from '../keys.ts';
import { JOIN, LIST, LOOK } from '../scripts/standbys.ts';
import type { RedisShard } from '../shard/shard.ts';
import { authorityOf, claimClient, probe } from './claims.ts';
import type { DirectoryOptions } from './claims.ts';

export interface RedisStandbys extends Standbys {
  /** The client was left to its standbys. */
  onVacant(clientId: string): void;
  /** Gives a client up to a standby that another instance has. Resolves with whether this conn has it no more. */
  giveUp(clientId: string, conn: string): Promise<boolean>;
  start(): void;
  stop(): void;
}

export interface RedisStandbysOptions extends DirectoryOptions {
  instance: () => Instance;
}

const ttlMs = 86_400_000;
const batchSize = 200;

/** The standbys of this instance, with the lists of those of all instances in Redis. */
export function createRedisStandbys(options: RedisStandbysOptions): RedisStandbys {
  const { boot, claims, shardOf, shards, instance, times } = options;
  /** By conn. */
  const own = new Map<string, Claim>();
  /** Left, and Redis has not said yet that they are off their lists: client by conn. */
  const leaving = new Map<string, string>();
  const looking = new Set<RedisShard>();
  let timer: NodeJS.Timeout | undefined;

  const join = async (standby: Claim): Promise<'waiting' | 'full'> => {
    const { clientId, conn, accountId, meta } = standby;
    const entry = `${boot} ${JSON.stringify({ accountId, meta })}`;
    const args = [conn, entry, maxStandbys, ttlMs];
    const joined = await shardOf(clientId).run<number>(JOIN, [keys.waiting(clientId)], args);
    return joined === 1 ? 'waiting' : 'full';
  };

  /** Repeated by `look` until Redis answers: as long as this instance lives, an entry takes the place of another browser. */
  const remove = (clientId: string, conn: string): void => {
    leaving.set(conn, clientId);
    shardOf(clientId)
      .send('hdel', [keys.waiting(clientId), conn])
      .then(() => leaving.delete(conn))
      .catch(() => {});
  };

  /** As `join`, for one that waits already. It may leave meanwhile. */
  const joinAgain = async (standby: Claim): Promise<void> => {
    if (own.get(standby.conn) !== standby) return;
    await join(standby);
    if (own.get(standby.conn) !== standby) remove(standby.clientId, standby.conn);
  };

  const lookAt = async (shard: RedisShard, batch: readonly Claim[]): Promise<void> => {
    const names = batch.flatMap(({ clientId }) => [keys.owner(clientId), keys.waiting(clientId)]);
    const conns = batch.map(({ conn }) => conn);
    const [free = [], missing = []] = await shard.run<number[][]>(LOOK, names, [ttlMs, ...conns]);
    // Redis lost the list, or others thought that this instance had ended.
    await Promise.all(missing.flatMap((place) => (batch[place - 1] ? [joinAgain(batch[place - 1]!)] : [])));
    for (const place of free) promote(batch[place - 1]);
  };

  const look = async (shard: RedisShard): Promise<void> => {
    if (looking.has(shard) || !shard.isAnswering()) return;
    for (const [conn, clientId] of leaving) if (shardOf(clientId) === shard) remove(clientId, conn);
    const waiting = [...own.values()].filter(({ clientId }) => shardOf(clientId) === shard);
    looking.add(shard);
    for (let at = 0; at < waiting.length; at += batchSize) {
      await lookAt(shard, waiting.slice(at, at + batchSize)).catch(() => {});
    }
    looking.delete(shard);
  };

  const promote = (standby: Claim | undefined): void => {
    if (standby && own.get(standby.conn) === standby) instance().promote(standby.conn);
  };

  return {
    join: async (standby) => {
      const outcome = await makingRoom(() => join(standby), standby.clientId, options).catch(
        (cause: unknown) => {
          // It may be on the list, and its socket does not wait.
          remove(standby.clientId, standby.conn);
          throw new ClusterUnavailable('Redis did not say whether there is room to wait', { cause });
        },
      );
      if (outcome === 'waiting') own.set(standby.conn, standby);
      return outcome;
    },
    leave: (clientId, conn) => {
      if (own.delete(conn)) remove(clientId, conn);
    },
    succeed: (claim) => claimClient(claim, options, { isStandby: true }),
    takeOver: (claim) => takeOver(claim, options),
    vacate: (clientId, conn, { isWhole }) =>
      claims.release(shardOf(clientId), clientId, conn, vacated(isWhole)),
    find: (clientIds) => findAll(clientIds, options),
    onVacant: (clientId) => {
      for (const standby of own.values()) if (standby.clientId === clientId) promote(standby);
    },
    giveUp: (clientId, conn) => giveUp(clientId, conn, options),
    start: () => {
      timer = setInterval(() => {
        for (const shard of shards) void look(shard);
      }, times.lookMs);
    },
    stop: () => {
      clearInterval(timer);
      for (const { clientId, conn } of own.values()) remove(clientId, conn);
      own.clear();
    },
  };
}

/** Joins a waiting list. Where it is full, those leave it first that vanished and whose sockets still seem open. */
async function makingRoom(
  join: () => Promise<'waiting' | 'full'>,
  clientId: string,
  options: RedisStandbysOptions,
): Promise<'waiting' | 'full'> {
  const outcome = await join();
  if (outcome === 'waiting') return outcome;
  const shard = options.shardOf(clientId);
  const [[, waiting] = [clientId, []]] = await findOn(shard, [clientId]);
  const lives = await Promise.all(waiting.map((one) => probe(shard, clientId, one, options)));
  const gone = waiting.filter((_one, index) => lives[index] === 'gone').map(({ conn }) => conn);
  if (gone.length > 0) await shard.send('hdel', [keys.waiting(clientId), ...gone]);
  return waiting.length - gone.length < maxStandbys ? await join() : 'full';
}

async function giveUp(
  clientId: string,
  conn: string,
  { claims, instance }: RedisStandbysOptions,
): Promise<boolean> {
  const claim = claims.owned.get(clientId);
  if (claim?.conn !== conn) return true;
  // Where this instance may not act it may not decide either: whoever has the client is found by its claim.
  if (authorityOf(claim) !== 'owner' || instance().isArriving(conn)) return false;
  const released = claims.release(claim.shard, clientId, conn, yielded);
  instance().evict(conn, 'handed_over');
  await released;
  return true;
}

async function takeOver(claim: Claim, options: RedisStandbysOptions): Promise<ClaimOutcome> {
  const { boot, shardOf, probes } = options;
  const { clientId } = claim;
  const shard = shardOf(clientId);
  let isStandby: boolean;
  try {
    const fields = [keys.owner(clientId), 'boot', 'conn'];
    const [ownerBoot, conn] = await shard.send<(string | null)[]>('hmget', fields);
    isStandby = !ownerBoot;
    if (ownerBoot === boot && conn) await giveUp(clientId, conn, options);
    else if (ownerBoot && conn) await probes.ask(shard, clientId, { boot: ownerBoot, conn }, 'yield');
  } catch (cause) {
    return { outcome: 'unavailable', cause: cause instanceof Error ? cause.message : String(cause) };
  }
  // An owner that did not yield is judged as by any newcomer: it keeps the client if it lives. One that is not known may live too.
  return await claimClient(claim, options, { isStandby });
}

async function findAll(
  clientIds: readonly string[],
  { shards, shardOf }: RedisStandbysOptions,
): Promise<Map<string, Standby[]>> {
  const of = (shard: RedisShard): string[] => clientIds.filter((clientId) => shardOf(clientId) === shard);
  const parts = await Promise.all(shards.map((shard) => findOn(shard, of(shard))));
  return new Map(parts.flat());
}

async function findOn(shard: RedisShard, clientIds: readonly string[]): Promise<[string, Standby[]][]> {
  const found: [string, Standby[]][] = [];
  for (let at = 0; at < clientIds.length; at += batchSize) {
    const batch = clientIds.slice(at, at + batchSize);
    const lists = await shard.run<string[][]>(LIST, batch.map(keys.waiting), []).catch((cause: unknown) => {
      throw new ClusterUnavailable('Redis did not say who waits', { cause });
    });
    for (const [index, clientId] of batch.entries()) {
      const standbys = readList(clientId, lists[index] ?? []);
      if (standbys.length > 0) found.push([clientId, standbys]);
    }
  }
  return found;
}

/** Their conns are made in the order of time. */
function readList(clientId: string, list: readonly string[]): Standby[] {
  const standbys = list.flatMap((entry, at): Standby[] => {
    if (at % 2 === 0) return [];
    const space = entry.indexOf(' ');
    const { accountId, meta } = JSON.parse(entry.slice(space + 1)) as Pick<Claim, 'accountId' | 'meta'>;
    return [{ clientId, conn: list[at - 1] ?? '', boot: entry.slice(0, space), accountId, meta }];
  });
  return standbys.toSorted((one, other) => (one.conn < other.conn ? -1 : 1));
}
