import { randomBytes } from 'node:crypto';
import { ClusterUnavailable } from '../failures.ts';
import { foundAt, nameOf, reservationMs } from '../reservations.ts';
import type { KeptReservation, ReservationBounds, Reservations } from '../reservations.ts';
import { keys } from './keys.ts';
import type { Script, ScriptArgument } from './connection.ts';
import { ERASE_PART, FREE, RESERVE, SETTLE } from './scripts/reservations.ts';
import type { RedisShard } from './shard/shard.ts';

/** Reservations in Redis, those of a group on one shard. */
export function createRedisReservations(
  shardOf: (group: string) => RedisShard,
  bounds: ReservationBounds,
): Reservations {
  const run = async <T>(script: Script, group: string, args: readonly ScriptArgument[]): Promise<T> => {
    const names = [keys.reservations(group), keys.reservationTimes(group)];
    return await shardOf(group)
      .run<T>(script, names, args)
      .catch((cause: unknown) => {
        throw new ClusterUnavailable('Redis did not answer about a reservation', { cause });
      });
  };
  return {
    reserve: async (place, note, runningMs, memory) => {
      const token = randomBytes(12).toString('base64url');
      const made = JSON.stringify({ state: 'running', note, token, memory });
      const args = [nameOf(place), made, runningMs, reservationMs, bounds.names, bounds.bytes];
      const answered = await run<0 | [text: string, now: string, got?: 'new' | 'again']>(
        RESERVE,
        place.group,
        args,
      ).catch((cause: unknown) => {
        // It may have been made, and whoever asked for it does nothing now.
        run(FREE, place.group, [nameOf(place), token]).catch(() => {});
        throw cause;
      });
      if (answered === 0) return { outcome: 'full' };
      const [text, now, got] = answered;
      const kept = JSON.parse(text) as KeptReservation;
      if (got) return { outcome: 'reserved', token, at: kept.at, isRepeat: got === 'again' };
      return { outcome: 'known', found: foundAt(kept, Number(now)) };
    },
    settle: async (place, token, { answer, ...end }) => {
      const whole = JSON.stringify({ ...end, token, answer });
      const bare = JSON.stringify({ ...end, token });
      await run(SETTLE, place.group, [nameOf(place), whole, bare, reservationMs, bounds.bytes]);
    },
    free: async (place, token) => {
      await run(FREE, place.group, [nameOf(place), token]);
    },
    erase: async (group, part) => {
      await run(ERASE_PART, group, [part === undefined ? '/' : `/${part}/`]);
    },
  };
}
