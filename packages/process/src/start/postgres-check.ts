/** `read_only`: queries are answered and writes refused. `down`: nothing is answered, or not in time. */
export type PostgresState = 'up' | 'read_only' | 'down';

const heldMs = 1_000;
const deadlineMs = 2_000;
/** The SQLSTATE of a write on a replica, or on a server or database that was set read-only. */
const readOnly = '25006';

/**
 * Tells whether Postgres takes writes. `tryWriting` is to use the pool of everything else: a pool without a free connection is
 * down as well. An answer holds for a second, and all who ask meanwhile share it, so that strangers may ask at any rate.
 */
export function createPostgresCheck(tryWriting: () => Promise<void>): () => Promise<PostgresState> {
  let last: { state: Promise<PostgresState>; until: number } | undefined;

  return () => {
    if (last && performance.now() < last.until) return last.state;
    const asked = { state: ask(tryWriting), until: Infinity };
    last = asked;
    void asked.state.then(() => (asked.until = performance.now() + heldMs));
    return asked.state;
  };
}

async function ask(tryWriting: () => Promise<void>): Promise<PostgresState> {
  const { promise: deadline, resolve } = Promise.withResolvers<PostgresState>();
  const timer = setTimeout(resolve, deadlineMs, 'down');
  const answer = tryWriting().then(
    (): PostgresState => 'up',
    (error: unknown): PostgresState =>
      (error as { code?: unknown }).code === readOnly ? 'read_only' : 'down',
  );
  return await Promise.race([answer, deadline]).finally(() => clearTimeout(timer));
}

async function answersInTime(ask: () => Promise<unknown>): Promise<'up' | 'down'> {
  const { promise: late, resolve } = Promise.withResolvers<'down'>();
  const timer = setTimeout(() => resolve('down'), deadlineMs);
  const answer = ask().then(
    () => 'up' as const,
    () => 'down' as const,
  );
  return await Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/** Whether a process is to be given work, and what else an operator is told of it. */
export interface Readiness {
  ready: boolean;
  /** Of the one that it needs. */
  postgres?: PostgresState;
  /** Whether the store of its queue answers. */
  queue?: 'up' | 'down';
}

/** For a process that could do nothing on a Postgres that takes no writes, or without its queue. */
export function createReadiness(
  isRunning: () => boolean,
  tryWriting: () => Promise<void>,
  reachQueue: () => Promise<unknown>,
): () => Promise<Readiness> {
  const check = createPostgresCheck(tryWriting);
  return async () => {
    const [postgres, queue] = await Promise.all([check(), answersInTime(reachQueue)]);
    return { ready: isRunning() && postgres === 'up' && queue === 'up', postgres, queue };
  };
}
