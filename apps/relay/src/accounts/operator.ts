import type { Database } from '@tabletop-relay/database';
import { changeCredentials } from '../credentials/changes/credential-feed.ts';
import type { SendMail } from './mail/mail.ts';
import { mailOwner } from './second-factors/notify-owner.ts';
import { resetSecondFactor } from './second-factors/reset-second-factor.ts';
import { administer, adminActions, listAccounts } from './administration.ts';
import type { AdminAction, ListAccountsDeps } from './administration.ts';
import { findAccountEmail } from './mail/email.ts';
import type { Records } from '../records/records.ts';

const operatorUsage = `usage: pnpm admin <command>

  list                         all accounts
  make-administrator <e-mail>  may use /admin
  force-rotation <e-mail>      blocks API access until the master key is regenerated
  disable <e-mail>             blocks the account
  enable <e-mail>              lets it in again
  reset-second-factor <e-mail> removes its second factors and recovery codes, ends its sessions, and mails the owner`;

interface OperatorDeps extends ListAccountsDeps {
  records: Pick<Records, 'auditIn'>;
  sendMail: SendMail;
}

type Command = (deps: OperatorDeps, account: { id: string; email: string }) => Promise<void>;

const otherCommands: Record<string, Command> = {
  'make-administrator': makeAdministrator,
  async 'reset-second-factor'(deps, account) {
    await resetSecondFactor(
      { change: async (work) => (await changeCredentials(deps.db, work)).result, records: deps.records },
      account.id,
    );
    await mailOwner(deps.sendMail, account.email, { event: 'second_factor.reset' });
  },
};

/**
 * The operator's command line. Running instances hear of it within a second. Answers what to print; throws
 * with the usage for what is no command, and for an address without an account.
 */
export async function runOperatorCommand(
  deps: OperatorDeps,
  [command = '', email = '']: readonly string[],
): Promise<string> {
  if (command === 'list') return await describeAccounts(deps);
  const other = Object.hasOwn(otherCommands, command) ? otherCommands[command] : undefined;
  if ((!other && !Object.hasOwn(adminActions, command)) || email === '') throw new Error(operatorUsage);
  const account = await findAccount(deps.db, email);
  if (other) await other(deps, account);
  else await act(deps, account.id, command as AdminAction);
  return `${email}: done`;
}

async function findAccount(db: Database, email: string): Promise<{ id: string; email: string }> {
  const account = await db
    .selectFrom('accounts')
    .select(['id', 'email'])
    .where('email', '=', (await findAccountEmail(db, email)) ?? '')
    .executeTakeFirst();
  if (!account) throw new Error(`no account has the address ${email}`);
  return account;
}

async function act({ db, records }: OperatorDeps, accountId: string, action: AdminAction): Promise<void> {
  await administer(
    { change: async (work) => (await changeCredentials(db, work)).result, records },
    { accountId, action, now: Date.now(), record: { actor: 'operator' } },
  );
}

async function makeAdministrator(
  { db, records }: OperatorDeps,
  { id: accountId }: { id: string },
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
      account.hasSecondFactor && 'second factor',
      account.rotationRequired && 'must rotate',
      account.disabled && 'disabled',
    ].filter(Boolean);
    return `${email}  since ${createdAt.slice(0, 10)}  ${clients} worlds  ${apiKeys} keys  ${marks.join(', ')}`.trimEnd();
  });
  return lines.join('\n') || 'no accounts';
}
