/** Runs `work` when what came before it under its name on this instance has ended, however it ended. */
export type OneByOne = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/**
 * Queues of work, one for each name. What waits for a row's lock keeps a connection to Postgres: fifty creations of
 * one account would keep them all, and every other account would wait. Queued here they keep one.
 */
export function createOneByOne(): OneByOne {
  const queues = new Map<string, Promise<void>>();
  return async function oneByOne(name, work) {
    const before = queues.get(name);
    const running = (async () => {
      await before;
      return await work();
    })();
    const ended = running.then(
      () => {},
      () => {},
    );
    queues.set(name, ended);
    try {
      return await running;
    } finally {
      if (queues.get(name) === ended) queues.delete(name);
    }
  };
}
