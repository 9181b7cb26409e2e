import { randomBytes } from 'node:crypto';
import { ClusterUnavailable } from '../failures.ts';
import { startOfSeats } from '../cluster.ts';
import type { NamedSeat, Seats } from '../cluster.ts';
import { keys } from './keys.ts';
import { KEEP_SEATS, TAKE_SEAT } from './scripts/seats.ts';
import type { RedisShard } from './shard/shard.ts';

export interface RedisSeats extends Seats {
  start(): void;
  stop(): void;
}

const keptMs = 60_000;
const keepEveryMs = 20_000;
const keepBatch = 200;

const turnOf = (named: NamedSeat | undefined) => (named ? [startOfSeats(named), named.turn] : []);

interface Seat {
  id: string;
  halls: readonly string[];
}

/** Seats in Redis. The halls of a group are on one shard, and their seats are kept as long as this instance says so. */
export function createRedisSeats(shardOf: (group: string) => RedisShard): RedisSeats {
  const taken = new Map<RedisShard, Set<Seat>>();
  let timer: NodeJS.Timeout | undefined;

  const keep = async (shard: RedisShard, seats: Iterable<Seat>): Promise<void> => {
    const pairs = Array.from(seats, ({ id, halls }) => halls.map((hall) => [hall, id] as const)).flat();
    for (let at = 0; at < pairs.length; at += keepBatch) {
      const batch = pairs.slice(at, at + keepBatch);
      const halls = batch.map(([hall]) => hall);
      await shard.run(KEEP_SEATS, halls, [keptMs, ...batch.map(([, id]) => id)]);
    }
  };

  const leave = (shard: RedisShard, seat: Seat): void => {
    if (!taken.get(shard)?.delete(seat)) return;
    // Where Redis does not answer, the seat becomes free by itself.
    for (const hall of seat.halls) shard.send('zrem', [hall, seat.id]).catch(() => {});
  };

  return {
    take: async (group, halls, named) => {
      const shard = shardOf(group);
      const seat: Seat = {
        id: named ? `${startOfSeats(named)}${named.turn}` : randomBytes(9).toString('base64url'),
        halls: halls.map(({ name }) => keys.seats(name)),
      };
      const args = [seat.id, keptMs, ...halls.map(({ max }) => max), ...turnOf(named)];
      const full = await shard.run<number>(TAKE_SEAT, seat.halls, args).catch((cause: unknown) => {
        throw new ClusterUnavailable('Redis did not say whether there is a seat', { cause });
      });
      if (full < 0) return { outcome: 'overtaken' };
      const hall = halls[full - 1];
      if (hall) return { outcome: 'full', hall };
      taken.set(shard, (taken.get(shard) ?? new Set()).add(seat));
      return { outcome: 'taken', leave: () => leave(shard, seat) };
    },
    start: () => {
      timer = setInterval(() => {
        for (const [shard, seats] of taken) keep(shard, seats).catch(() => {});
      }, keepEveryMs);
    },
    stop: () => {
      clearInterval(timer);
      for (const [shard, seats] of taken) for (const seat of seats) leave(shard, seat);
    },
  };
}
