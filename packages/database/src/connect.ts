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
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: withoutSilentConnections(pool, connect) }),
    // The keys inside of a jsonb value are data, not names of columns.
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
}

/**
 * Discards a connection that did not answer in time: pg would hand it out again while it still waits. `connect` gives a new
 * or a free one.
 */
function withoutSilentConnections(pool: Pool, connect: () => Promise<PoolClient>): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await connect();
      let silent = false;
      const query = async (text: string, values: unknown[]) => {
        try {
          return await client.query(text, values);
        } catch (error) {
          silent ||= error instanceof Error && error.message === 'Query read timeout';
          throw error;
        }
      };
      return { query, release: () => client.release(silent) } as unknown as PostgresPoolClient;
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
      if ((error as { code?: unknown }).code !== wrongPassword || performance.now() > deadline) throw error;
    }
    await delay(nextTryMs);
  }
}

/** Resolves when Postgres takes queries on this pool. */
export async function reachDatabase(db: Database): Promise<void> {
  await sql`select 1`.execute(db);
}

const systemCodes = new Set([
  'ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN',
]); // prettier-ignore
/** SQLSTATEs of a server that is starting, stopping, full or too slow. Class 08 counts as well. */
const serverCodes = new Set(['57P01', '57P02', '57P03', '53300', '57014']);
const messages = [
  /^Connection terminated/,
  /^timeout exceeded when trying to connect/,
  /^Query read timeout/,
  /connection error and is not queryable/,
];

/** Whether a query failed because Postgres cannot be reached, or takes no queries at the moment. */
export function isDatabaseAway(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return (
    (typeof code === 'string' && (systemCodes.has(code) || serverCodes.has(code) || code.startsWith('08'))) ||
    messages.some((message) => message.test(error.message))
  );
}
