import { setTimeout as delay } from 'node:timers/promises';
import { CamelCasePlugin, Kysely, PostgresDialect, sql } from 'kysely';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { Pool } from 'pg';
import type { PoolClient } from 'pg';
import type { Tables } from './tables.ts';

export interface ConnectOptions {
  url: string;
  /** Returns the current URL. Called for each new connection, since passwords change while the process runs. */
  reread?: (url: string) => string;
  poolSize: number;
  /** Warned of each connection that breaks. The pool replaces it. */
  log: { warn(detail: object, message: string): void };
  /** A query waits this long for a free connection. */
  connectTimeoutMs?: number;
  /** The server ends a statement after this time, and we stop waiting a second later. 0: no limit. */
  statementTimeoutMs?: number;
}

export type Database = Kysely<Tables>;

/**
 * Connects on first use. When Postgres dies, the running queries fail and nothing else does: the next query takes a
 * new connection. Tables and columns are camelCase in queries and rows.
 */
export function connectDatabase(options: ConnectOptions): Database {
  const { url, reread, poolSize, log, connectTimeoutMs = 5_000, statementTimeoutMs = 10_000 } = options;
  const pool = new Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs > 0 ? statementTimeoutMs + 1_000 : 0,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    keepAlive: true,
    application_name: 'tabletop-relay',
  });
  // The pool passes its options to each new connection, so the getter is read each time.
  if (reread) Object.defineProperty(pool.options, 'connectionString', { get: () => reread(url) });
  const onError = (error: Error) => {
    // A server that stops after us breaks what we are about to end anyway.
    if (!pool.ending) log.warn({ err: error }, 'a database connection broke');
  };
  // The pool listens for errors on idle connections only. An error on one in use would end the process.
  pool.on('connect', (client) => client.on('error', onError));
  // The connection's own listener has logged it. Without a listener here the error would be thrown.
  pool.on('error', () => {});
  const connect = () => (reread ? connectAnew(pool, connectTimeoutMs) : pool.connect());
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: withoutSpentConnections(pool, connect) }),
    // The keys inside of a jsonb value are data, not names of columns.
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
  pools.set(db, pool);
  return db;
}

const pools = new WeakMap<Database, Pool>();

/**
 * Connections of a pool that are busy or idle, and queries that wait for one. A query that was just asked is not counted where an
 * idle connection, or room for one more, is there for it: a scrape asks some itself.
 */
export function readPool(db: Database): { busy: number; idle: number; waiting: number } {
  const pool = pools.get(db);
  if (!pool) return { busy: 0, idle: 0, waiting: 0 };
  const { totalCount, idleCount, waitingCount, options } = pool;
  const free = idleCount + (options.max - totalCount);
  return { busy: totalCount - idleCount, idle: idleCount, waiting: Math.max(0, waitingCount - free) };
}

/**
 * Discards a connection that did not answer in time: pg would hand it out again while it still waits. Discards one that is
 * read-only as well: it stays so after the server takes writes again, or another server has taken the place of this one.
 * `connect` gives a new or a free one.
 */
function withoutSpentConnections(pool: Pool, connect: () => Promise<PoolClient>): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await connect();
      let isSpent = false;
      const query = async (text: string, values: unknown[]) => {
        try {
          return await client.query(text, values);
        } catch (error) {
          const isSilent = error instanceof Error && error.message === 'Query read timeout';
          isSpent ||= isSilent || codeOf(error) === readOnly;
          throw error;
        }
      };
      return { query, release: () => client.release(isSpent) } as unknown as PostgresPoolClient;
    },
  };
}

const wrongPassword = '28P01';
const nextTryMs = 250;

/** A password is changed on the server and in its file one after the other: in between, new connections wait. */
async function connectAnew(pool: Pool, timeoutMs: number): Promise<PoolClient> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await pool.connect();
    } catch (error) {
      if (codeOf(error) !== wrongPassword || performance.now() > deadline) throw error;
    }
    await delay(nextTryMs);
  }
}

/** Resolves when Postgres takes queries on this pool. */
export async function reachDatabase(db: Database): Promise<void> {
  await sql`select 1`.execute(db);
}

/**
 * Rejects as every write would where Postgres takes none, and where the role may not write. It changes nothing, so it cannot
 * see that a disk is full.
 */
export async function tryWriting(db: Database): Promise<void> {
  await sql`update instances set boot = boot where false`.execute(db);
}

const systemCodes = new Set([
  'ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN',
]); // prettier-ignore

/** A replica, or a server or database that was set read-only. */
const readOnly = '25006';
const diskFull = '53100';

/**
 * SQLSTATEs of a server that cannot serve now, by class: 08 connection, 28 login refused, 53 out of resources, 57 an operator
 * or a time-out stopped it, 58 its machine fails. A missing right (42501) is not among them: only a person can grant it.
 */
const serverClasses = new Set(['08', '28', '53', '57', '58']);

const serverCodes = new Set([
  readOnly,
  // A transaction of ours stood still, or took too long.
  '25P03', '25P04',
  // The database is not there: somebody restores it.
  '3D000',
  // A replica cancelled the statement, two transactions wait for each other, a lock was not given. Nothing was changed.
  '40001', '40P01', '55P03',
]); // prettier-ignore

const messages = [
  /^Connection terminated/,
  /^timeout exceeded when trying to connect/,
  /^Query read timeout/,
  /connection error and is not queryable/,
];

/** Whether a query failed because Postgres cannot be reached, or cannot do it now. The same query may succeed later. */
export function isDatabaseAway(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  const isOfServer = serverCodes.has(code) || (code.length === 5 && serverClasses.has(code.slice(0, 2)));
  return isOfServer || systemCodes.has(code) || messages.some((message) => message.test(error.message));
}

/** Whether Postgres refused a write and answers queries: it is read-only, or its disk is full. */
export const takesNoWrites = (error: unknown): boolean => [readOnly, diskFull].includes(codeOf(error));

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
