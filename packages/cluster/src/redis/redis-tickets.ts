import { ClusterUnavailable } from '../failures.ts';
import type { Tickets } from '../cluster.ts';
import { ticketAwayMs } from '../cluster.ts';
import { keys } from './keys.ts';
import type { Script, ScriptArgument } from './connection.ts';
import { ISSUE_TICKET, KEEP_TICKETS, USE_TICKET } from './scripts/tickets.ts';
import type { RedisShard } from './shard/shard.ts';

const keepBatch = 500;

/** Tickets in Redis, on the first shard of the list: any instance may be shown one. */
export function createRedisTickets(home: RedisShard): Tickets {
  const run = async <T>(
    script: Script,
    ids: readonly string[],
    args: readonly ScriptArgument[],
  ): Promise<T> => {
    return await home.run<T>(script, ids.map(keys.ticket), args).catch((cause: unknown) => {
      throw new ClusterUnavailable('Redis did not answer about a ticket', { cause });
    });
  };
  return {
    issue: async (id, note, unusedMs) => {
      await run(ISSUE_TICKET, [id], [note, unusedMs]);
    },
    use: async (id, { shown, next }) => {
      const opened = await run<[string, number] | null>(USE_TICKET, [id], [shown, next, ticketAwayMs]);
      return opened ? { note: opened[0], turn: opened[1] } : undefined;
    },
    keep: async (ids) => {
      const turns = new Map<string, number>();
      for (let at = 0; at < ids.length; at += keepBatch) {
        const batch = ids.slice(at, at + keepBatch);
        const answered = await run<(string | null)[]>(KEEP_TICKETS, batch, [ticketAwayMs]);
        for (const [index, turn] of answered.entries())
          if (turn !== null) turns.set(batch[index]!, Number(turn));
      }
      return turns;
    },
  };
}
