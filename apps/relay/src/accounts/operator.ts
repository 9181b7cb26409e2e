import type { Database } from '@tabletop-relay/database';
import { changeCredentials } from '../credentials/changes/credential-feed.ts';
import { administer, adminActions, listAccounts } from './administration.ts';
import type { AdminAction, ListAccountsDeps } from './administration.ts';
import { findAccountEmail } from './mail/email.ts';
import type { Records } from '../records/records.ts';

const operatorUsage = `usage: pnpm admin <command>

  list                         all accounts
  make-administrator <e-mail>  may use /admin
  force-rotation <e-mail>      blocks API access until the master key is regenerated
  disable <e-mail>             blocks the account
  enable <e-mail>              lets it in again`;

/**
 * The operator's command line. Running instances hear of it within a second. Answers what to print; throws
 * with the usage for what is no command, and for an address without an account.
 */
export async function runOperatorCommand(
  deps: ListAccountsDeps & { records: Pick<Records, 'auditIn'> },
  [command = '', email = '']: readonly string[],
): Promise<string> {
  if (command === 'list') return await describeAccounts(deps);
  const isAction = Object.hasOwn(adminActions, command);
  if ((!isAction && command !== 'make-administrator') || email === '') throw new Error(operatorUsage);
  const accountId = await findAccount(deps.db, email);
  if (isAction) await act(deps, accountId, command as AdminAction);
  else await makeAdministrator(deps, accountId);
  return `${email}: done`;
}

async function findAccount(db: Database, email: string): Promise<string> {
  const account = await db
    .selectFrom('accounts')
    .select('id')
    .where('email', '=', (await findAccountEmail(db, email)) ?? '')
    .executeTakeFirst();
  if (!account) throw new Error(`no account has the address ${email}`);
  return account.id;
}

async function act(
  { db, records }: { db: Database; records: Pick<Records, 'auditIn'> },
  accountId: string,
  action: AdminAction,
): Promise<void> {
  await administer(
    { change: async (work) => (await changeCredentials(db, work)).result, records },
    { accountId, action, now: Date.now(), record: { actor: 'operator' } },
  );
}

async function makeAdministrator(
  { db, records }: { db: Database; records: Pick<Records, 'auditIn'> },
  accountId: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.updateTable('accounts').set({ isAdministrator: true }).where('id', '=', accountId).execute();
    await records.auditIn(trx, {
      accountId,
      event: 'account.made_administrator',
      actor: 'operator',
      subjectId: accountId,
    });
  });
}

async function describeAccounts(deps: ListAccountsDeps): Promise<string> {
  const accounts = await listAccounts(deps, { limit: 10_000 });
  const lines = accounts.map(({ email, createdAt, clients, apiKeys, ...account }) => {
    const marks = [
      account.isAdministrator && 'administrator',
      account.rotationRequired && 'must rotate',
      account.disabled && 'disabled',
    ].filter(Boolean);
    return `${email}  since ${createdAt.slice(0, 10)}  ${clients} worlds  ${apiKeys} keys  ${marks.join(', ')}`.trimEnd();
  });
  return lines.join('\n') || 'no accounts';
}
