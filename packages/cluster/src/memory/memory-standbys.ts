import { vacated, yielded } from '../standbys.ts';
import { maxStandbys } from '../cluster.ts';
import type { Standby, Standbys } from '../cluster.ts';
import { claimClient, isVacant, probe, release } from './memory-directory.ts';
import type { Taker } from './memory-directory.ts';
import { ownerOf } from './memory-hub.ts';

export interface MemoryStandbys extends Standbys {
  start(): void;
  stop(): void;
}

/** Looks for clients that were expected back and did not come: nobody tells of these. */
const lookMs = 1_000;

/** The standbys of one instance, with the lists of those of all instances of the process. */
export function createMemoryStandbys(taker: Taker): MemoryStandbys {
  const { hub, boot } = taker;
  let timer: NodeJS.Timeout | undefined;

  const own = (): Standby[] =>
    [...hub.waiting.values()].flatMap((list) =>
      [...list.values()].filter((standby) => standby.boot === boot),
    );

  const leave = (clientId: string, conn: string): void => {
    const list = hub.waiting.get(clientId);
    list?.delete(conn);
    if (list?.size === 0) hub.waiting.delete(clientId);
  };

  return {
    join: async (standby) => {
      const { clientId, conn } = standby;
      const isFull = () => {
        const list = hub.waiting.get(clientId);
        return list !== undefined && list.size >= maxStandbys && !list.has(conn);
      };
      if (isFull()) {
        const waiting = [...(hub.waiting.get(clientId)?.values() ?? [])];
        const lives = await Promise.all(waiting.map((one) => probe(hub, clientId, one)));
        for (const [index, one] of waiting.entries()) if (lives[index] === 'gone') leave(clientId, one.conn);
        if (isFull()) return 'full';
      }
      const list = hub.waiting.get(clientId) ?? new Map<string, Standby>();
      hub.waiting.set(clientId, list.set(conn, { ...standby, boot }));
      return 'waiting';
    },
    leave,
    succeed: (claim) => claimClient(taker, claim, { isStandby: true }),
    takeOver: (claim) => {
      const { clientId } = claim;
      const owner = ownerOf(hub, clientId);
      const instance = owner && hub.members.get(owner.boot)?.instance;
      if (owner && instance && !instance.isArriving(owner.conn)) {
        release(hub, clientId, owner.conn, yielded);
        instance.evict(owner.conn, 'handed_over');
      }
      return claimClient(taker, claim);
    },
    vacate: (clientId, conn, { isWhole }) => {
      release(hub, clientId, conn, vacated(isWhole));
      return Promise.resolve();
    },
    find: (clientIds) => {
      const found = clientIds.flatMap((clientId): [string, Standby[]][] => {
        const list = hub.waiting.get(clientId);
        return list ? [[clientId, [...list.values()]]] : [];
      });
      return Promise.resolve(new Map(found));
    },
    start: () => {
      timer = setInterval(() => {
        for (const { clientId, conn } of own())
          if (isVacant(hub, clientId)) hub.members.get(boot)?.instance.promote(conn);
      }, lookMs);
    },
    stop: () => {
      clearInterval(timer);
      for (const { clientId, conn } of own()) leave(clientId, conn);
    },
  };
}
