import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { Pool } from 'pg';
import type { Tables } from './tables.ts';

export interface ConnectOptions {
  url: string;
  /** Tells for each new connection what the URL is by now: passwords change while we run. */
  reread?: (url: string) => string;
  poolSize: number;
  /** Told of each connection that broke; the pool replaces it. */
  log: { warn(detail: object, message: string): void };
  /** How long a call waits for a free connection. */
  connectTimeoutMs?: number;
  /** The server ends a statement at this; we give up on an answer a second later. 0: never. */
  statementTimeoutMs?: number;
}

export type Database = Kysely<Tables>;

/**
 * Connects on first use. A Postgres that dies fails the queries that run and nothing else: the next query
 * takes a new connection.
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
  // The pool hands its options to each new connection.
  if (reread) Object.defineProperty(pool.options, 'connectionString', { get: () => reread(url) });
  const onError = (error: Error) => log.warn({ err: error }, 'a database connection broke');
  // The pool listens on idle connections only; one that breaks in use would end the process.
  pool.on('connect', (client) => client.on('error', onError));
  // Already told by the connection itself; without a listener it would be thrown.
  pool.on('error', () => {});
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: withoutSilentConnections(pool) }),
    // The keys inside of a jsonb value are somebody's data, not names of columns.
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
}

/** A connection whose answer did not come is thrown away: pg would hand it out again, still waiting. */
function withoutSilentConnections(pool: Pool): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect();
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
