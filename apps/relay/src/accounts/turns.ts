/** Runs `work` when what came before it under the same name on this instance has ended, however it ended. */
export type InTurn = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/**
 * Lines of work, one for each name. What waits for a row's lock holds a connection to Postgres: fifty creations of
 * one account would hold them all, and every other account would wait. In line here they hold one.
 */
export function createTurns(): InTurn {
  const lines = new Map<string, Promise<void>>();
  return async function inTurn(name, work) {
    const before = lines.get(name);
    const turn = (async () => {
      await before;
      return await work();
    })();
    const ended = turn.then(
      () => {},
      () => {},
    );
    lines.set(name, ended);
    try {
      return await turn;
    } finally {
      if (lines.get(name) === ended) lines.delete(name);
    }
  };
}
