import type {
  Claim,
  ClaimOutcome,
  Cluster,
  EvictionReason,
  Instance,
  ReceivedCall,
  Reply,
} from '../../src/cluster.ts';

/** Makes clusters of one driver that share one store. */
export interface Fleet {
  createCluster(instanceId: string): Cluster;
  close(): Promise<void>;
}

/** The state that the tests of a suite share. */
export interface Suite {
  /** A client id that no other test uses. Set by `start`. */
  client: string;
  /** Starts instances, which are stopped after the test. */
  start(count: number): Promise<TestInstance[]>;
  pair(): Promise<[TestInstance, TestInstance]>;
}

/** An instance whose sockets are only ids. The world behind each echoes the call unless `answer` is replaced. */
export interface TestInstance {
  readonly cluster: Cluster;
  readonly delivered: ReceivedCall[];
  readonly evicted: { conn: string; why: EvictionReason }[];
  /** Conns that do not answer a ping. */
  readonly silent: Set<string>;
  /** Conns that wait for a client, and how often each was promoted. */
  readonly promoted: string[];
  /** Conns that are being let in. */
  readonly arriving: Set<string>;
  answer: (call: ReceivedCall, signal: AbortSignal) => Promise<Reply>;
  connect(
    clientId: string,
    options?: Partial<Claim> & { handover?: string },
  ): Promise<ClaimOutcome & { conn: string }>;
  disconnect(clientId: string, conn: string, movingMs?: number): Promise<void>;
  /** A socket that waits for a client, and claims it when it is promoted. */
  wait(clientId: string, options?: Partial<Claim>): Promise<{ outcome: 'waiting' | 'full'; conn: string }>;
  /** Lets a standby serve in the place of the owner. */
  takeOver(conn: string): Promise<ClaimOutcome>;
  /** Asks with the account that `connect` uses. */
  ask(clientId: string, body: string, options?: { budgetMs?: number; signal?: AbortSignal }): Promise<string>;
}

/** The times of streams, short enough to wait for, and a history that is soon full. */
export const testBounds = { lingerMs: 1_500, checkMs: 100, checkOwnersMs: 100, historyEvents: 600 };

/** Soon full. */
export const testReservations = { names: 20, bytes: 4_000 };

export const testAccount = 'account-1';
let conns = 0;

export async function startInstance(cluster: Cluster): Promise<TestInstance> {
  const sockets = new Map<string, Claim & { epoch: number }>();
  const standbys = new Map<string, Claim>();
  const serve = (claim: Claim, outcome: ClaimOutcome): ClaimOutcome => {
    if (outcome.outcome === 'mine') {
      sockets.set(claim.conn, { ...claim, epoch: outcome.epoch });
      standbys.delete(claim.conn);
      cluster.standbys.leave(claim.clientId, claim.conn);
    } else sockets.delete(claim.conn);
    return outcome;
  };
  const promoting = new Set<string>();
  const promote = async (claim: Claim): Promise<void> => {
    if (promoting.has(claim.conn)) return;
    promoting.add(claim.conn);
    test.promoted.push(claim.conn);
    sockets.set(claim.conn, { ...claim, epoch: 0 });
    serve(claim, await cluster.standbys.succeed(claim));
    promoting.delete(claim.conn);
  };
  const test: TestInstance = {
    cluster,
    delivered: [],
    evicted: [],
    silent: new Set(),
    promoted: [],
    arriving: new Set(),
    answer: ({ body }) => Promise.resolve({ head: { is: 'echo' }, body }),
    connect: async (clientId, { handover, ...options } = {}) => {
      conns += 1;
      const claim: Claim = {
        clientId,
        conn: `conn-${conns}`,
        accountId: testAccount,
        meta: 'about it',
        ...options,
      };
      sockets.set(claim.conn, { ...claim, epoch: 0 });
      const outcome = await cluster.directory.claim(claim, handover);
      if (outcome.outcome === 'mine') sockets.set(claim.conn, { ...claim, epoch: outcome.epoch });
      else sockets.delete(claim.conn);
      return { ...outcome, conn: claim.conn };
    },
    wait: async (clientId, options = {}) => {
      conns += 1;
      const claim = {
        clientId,
        conn: `conn-${conns}`,
        accountId: testAccount,
        meta: 'a standby',
        ...options,
      };
      const outcome = await cluster.standbys.join(claim);
      if (outcome === 'waiting') standbys.set(claim.conn, claim);
      return { outcome, conn: claim.conn };
    },
    takeOver: async (conn) => {
      const claim = standbys.get(conn)!;
      sockets.set(conn, { ...claim, epoch: 0 });
      return serve(claim, await cluster.standbys.takeOver(claim));
    },
    disconnect: (clientId, conn, movingMs) => {
      sockets.delete(conn);
      return cluster.directory.release(clientId, conn, movingMs);
    },
    ask: async (clientId, body, { budgetMs = 10_000, signal } = {}) => {
      const call = {
        clientId,
        accountId: testAccount,
        head: { asked: 'ü' },
        body: Buffer.from(body),
        budgetMs,
      };
      return (await cluster.bus.call(call, signal)).body.toString();
    },
  };
  const instance: Instance = {
    deliver: (call, signal) => {
      test.delivered.push(call);
      return test.answer(call, signal);
    },
    isArriving: (conn) => test.arriving.has(conn),
    probe: (conn) => Promise.resolve((sockets.has(conn) || standbys.has(conn)) && !test.silent.has(conn)),
    evict: (conn, why) => {
      sockets.delete(conn);
      const waiting = standbys.get(conn);
      if (waiting && standbys.delete(conn)) cluster.standbys.leave(waiting.clientId, conn);
      test.evicted.push({ conn, why });
    },
    promote: (conn) => {
      const claim = standbys.get(conn);
      if (claim) void promote(claim);
    },
    claims: () => sockets.values(),
  };
  await cluster.start(instance);
  return test;
}

/** Resolves with the failure of a call, so that the failure is handled before the test looks at it. */
export function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (value) => {
      throw new Error('did not fail', { cause: value });
    },
    (failure: unknown) => failure,
  );
}
