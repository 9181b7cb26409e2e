import type { Logger } from 'pino';
import type { MayReadRolls } from '../../keys/may-read-rolls.ts';
import type { ClientSocket } from '../client-socket.ts';

/** The number of listeners to its rolls that a module is told of. */
export interface RollsCount {
  /** Tells how many follow the stream of the world's rolls. */
  setListeners(socket: ClientSocket, count: number): void;
  /** Looks at the keys of its account again, because they may have changed. */
  look(socket: ClientSocket): void;
  stop(): void;
}

export interface RollsCountDeps {
  mayReadRolls: MayReadRolls;
  tell(socket: ClientSocket, count: number): void;
  log: Logger;
}

interface Rolls {
  listeners: number;
  /** The count that the module was told last. */
  told?: number;
  /** Only the answer of the last look counts. */
  looks: number;
}

const retryMs = 1_000;

/**
 * Today's modules remember rolls only while their channel of rolls is on, and `GET /rolls` answers what they remember. So a
 * module whose rolls a key may ask for is told of a listener even while nobody follows them.
 */
export function createRollsCount({ mayReadRolls, tell, log }: RollsCountDeps): RollsCount {
  const known = new WeakMap<ClientSocket, Rolls>();
  /** Sockets whose look failed: all of them look again at once, which is one query. */
  const waiting = new Set<ClientSocket>();
  let timer: NodeJS.Timeout | undefined;

  function tellOnce(socket: ClientSocket, rolls: Rolls, count: number): void {
    if (rolls.told === count) return;
    rolls.told = count;
    tell(socket, count);
  }

  function look(socket: ClientSocket): void {
    const rolls = known.get(socket);
    if (!rolls || rolls.listeners > 0 || !socket.isOpen) return;
    const mine = ++rolls.looks;
    mayReadRolls(socket.identity).then(
      (isKept) => {
        if (mine === rolls.looks) tellOnce(socket, rolls, isKept ? 1 : 0);
      },
      (error: unknown) => lookLater(socket, error),
    );
  }

  function lookLater(socket: ClientSocket, error: unknown): void {
    waiting.add(socket);
    if (timer) return;
    log.warn({ err: error }, 'whether rolls are asked for could not be read; it is tried again');
    timer = setTimeout(() => {
      timer = undefined;
      const again = [...waiting];
      waiting.clear();
      for (const one of again) look(one);
    }, retryMs);
  }

  return {
    setListeners(socket, count) {
      const rolls = known.get(socket) ?? { listeners: 0, looks: 0 };
      known.set(socket, rolls);
      rolls.listeners = count;
      if (count === 0) return look(socket);
      rolls.looks++;
      tellOnce(socket, rolls, count);
    },
    look,
    stop: () => clearTimeout(timer),
  };
}
