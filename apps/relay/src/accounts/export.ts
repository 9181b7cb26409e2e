import type { Database } from '@tabletop-relay/database';
import { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { AccountApp, AccountDeps } from './deps.ts';
import { readAccount } from './account.ts';

const rowsPerRead = 1_000;

const logs = {
  connectionLogs: 'connection_logs',
  remoteRequestLogs: 'remote_request_logs',
  auditLog: 'audit_log',
} as const;

/** All that is stored of an account but its logs and the hashes of its secrets. */
async function readFacts(db: Database, accountId: string) {
  const keys = db
    .selectFrom('api_keys')
    .select(['id', 'name', 'hint', 'scopes', 'client_ids', 'monthly_limit', 'expires_at'])
    .select(['last_used_at', 'created_at'])
    .where('account_id', '=', accountId)
    .execute();
  const usage = db
    .selectFrom('key_usage')
    .innerJoin('api_keys', 'api_keys.id', 'key_id')
    .select(['key_id', 'month', 'calls'])
    .where('account_id', '=', accountId)
    .execute();
  const tokens = db
    .selectFrom('connection_tokens')
    .select(['id', 'client_id', 'name', 'hint', 'allowed_target_clients', 'remote_scopes', 'ip_allowlist'])
    .select(['world_id', 'system_id', 'origin', 'last_used_at', 'last_ip_address', 'created_at'])
    .where('account_id', '=', accountId)
    .execute();
  const sessions = db
    .selectFrom('sessions')
    .select(['id', 'user_agent', 'ip_address', 'created_at', 'last_used_at', 'expires_at'])
    .where('account_id', '=', accountId)
    .execute();
  const requests = db
    .selectFrom('key_requests')
    .select(['id', 'app_name', 'app_url', 'scopes', 'granted_scopes', 'status', 'created_at'])
    .where('account_id', '=', accountId)
    .execute();
  const clients = db.selectFrom('known_clients').selectAll().where('account_id', '=', accountId).execute();
  return {
    account: await readAccount(db, accountId),
    worlds: await clients,
    apiKeys: await keys,
    keyUsage: await usage,
    connectionTokens: await tokens,
    sessions: await sessions,
    keyRequests: await requests,
  };
}

/** One JSON object of the facts and the whole of each log, newest first, without all of it in memory at once. */
async function* write(db: Database, accountId: string, facts: object): AsyncGenerator<string> {
  yield JSON.stringify(facts).slice(0, -1);
  for (const [name, table] of Object.entries(logs)) {
    let before = `,"${name}":[`;
    for await (const rows of readLog(db, table, accountId)) {
      yield before + JSON.stringify(rows).slice(1, -1);
      before = ',';
    }
    yield before === ',' ? ']' : `${before}]`;
  }
  yield '}';
}

async function* readLog(db: Database, table: (typeof logs)[keyof typeof logs], accountId: string) {
  const newest = db
    .selectFrom(table)
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc')
    .limit(rowsPerRead);
  let rows = await newest.execute();
  while (rows.length > 0) {
    yield rows;
    rows = await newest.where('id', '<', rows.at(-1)?.id ?? '').execute();
  }
}

export function exportRoutes(app: AccountApp, deps: AccountDeps): void {
  app.get(
    '/auth/export',
    {
      schema: {
        summary: 'Export all that is stored of you',
        response: {
          200: {
            description: 'The facts, and each log as a list, newest first.',
            content: { 'application/json': { schema: Type.Object({}, { additionalProperties: true }) } },
          },
        },
      },
    },
    async (request, reply) => {
      const { accountId } = request.session;
      const facts = await readFacts(deps.db, accountId);
      return await reply
        .header('content-disposition', 'attachment; filename="tabletop-relay-account.json"')
        .type('application/json; charset=utf-8')
        .send(Readable.from(write(deps.db, accountId, facts)));
    },
  );
}
