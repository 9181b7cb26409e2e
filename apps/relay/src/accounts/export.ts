import type { Database } from '@tabletop-relay/database';
import { exportedLogs, readLog } from '../records/read-log.ts';
import type { LogTable } from '../records/read-log.ts';
import type { AccountPart } from './account-part.ts';
import { readAccount } from './read-account.ts';
import { readFactors } from './second-factors/factors.ts';
import { countRecoveryCodes } from './second-factors/recovery-codes.ts';

export interface ExportDeps {
  db: Database;
  parts: readonly Pick<AccountPart, 'readForExport' | 'logs'>[];
}

/** Everything that is stored about an account, as the text of one JSON object in pieces. */
export async function exportAccount(
  { db, parts }: ExportDeps,
  accountId: string,
): Promise<AsyncIterable<string>> {
  const account = await readAccount(db, accountId);
  const sessions = db
    .selectFrom('sessions')
    .select(['id', 'userAgent', 'ipAddress', 'createdAt', 'lastUsedAt', 'idleExpiresAt', 'expiresAt'])
    .where('accountId', '=', accountId)
    .execute();
  const factors = await readFactors(db, accountId);
  const recoveryCodesLeft = await countRecoveryCodes(db, accountId);
  const facts = { account, sessions: await sessions, secondFactors: factors, recoveryCodesLeft };
  for (const part of parts) Object.assign(facts, await part.readForExport(db, accountId));
  const logs = [...exportedLogs, ...parts.flatMap((part) => part.logs ?? [])];
  return write(db, accountId, { facts, logs });
}

/** One JSON object of the facts and of each whole log. */
async function* write(
  db: Database,
  accountId: string,
  { facts, logs }: { facts: object; logs: readonly LogTable[] },
): AsyncGenerator<string> {
  yield JSON.stringify(facts).slice(0, -1);
  for (const log of logs) {
    let before = `,"${log}":[`;
    for await (const rows of readLog(db, log, accountId)) {
      yield before + JSON.stringify(rows).slice(1, -1);
      before = ',';
    }
    yield before === ',' ? ']' : `${before}]`;
  }
  yield '}';
}
