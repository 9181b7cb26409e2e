import type { Database } from '@tabletop-relay/database';
import { readAccount } from './read-account.ts';

const rowsPerRead = 1_000;

const logs = {
  connectionLogs: 'connectionLogs',
  remoteRequestLogs: 'remoteRequestLogs',
  auditLog: 'auditLog',
} as const;

/** Everything that is stored about an account, without its logs and without the hashes of its secrets. */
async function readFacts(db: Database, accountId: string) {
  const keys = db
    .selectFrom('apiKeys')
    .select(['id', 'name', 'hint', 'scopes', 'clientIds', 'monthlyLimit', 'expiresAt'])
    .select(['lastUsedAt', 'createdAt'])
    .where('accountId', '=', accountId)
    .execute();
  const usage = db
    .selectFrom('keyUsage')
    .innerJoin('apiKeys', 'apiKeys.id', 'keyId')
    .select(['keyId', 'month', 'calls'])
    .where('accountId', '=', accountId)
    .execute();
  const tokens = db
    .selectFrom('connectionTokens')
    .select(['id', 'clientId', 'name', 'hint', 'allowedTargetClients', 'remoteScopes', 'ipAllowlist'])
    .select(['worldId', 'systemId', 'origin', 'lastUsedAt', 'lastIpAddress', 'createdAt'])
    .where('accountId', '=', accountId)
    .execute();
  const sessions = db
    .selectFrom('sessions')
    .select(['id', 'userAgent', 'ipAddress', 'createdAt', 'lastUsedAt', 'expiresAt'])
    .where('accountId', '=', accountId)
    .execute();
  const requests = db
    .selectFrom('keyRequests')
    .select(['id', 'appName', 'appUrl', 'scopes', 'grantedScopes', 'status', 'createdAt'])
    .where('accountId', '=', accountId)
    .execute();
  const clients = db.selectFrom('knownClients').selectAll().where('accountId', '=', accountId).execute();
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

/** One JSON object of the facts and each whole log, newest first. A log is read page by page, for it may be long. */
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
    .where('accountId', '=', accountId)
    .orderBy('id', 'desc')
    .limit(rowsPerRead);
  let rows = await newest.execute();
  while (rows.length > 0) {
    yield rows;
    rows = await newest.where('id', '<', rows.at(-1)?.id ?? '').execute();
  }
}

/** Everything that is stored about an account, as the text of one JSON object in pieces. */
export async function exportAccount(db: Database, accountId: string): Promise<AsyncIterable<string>> {
  const facts = await readFacts(db, accountId);
  return write(db, accountId, facts);
}
