import type { Database } from '@tabletop-relay/database';
import { changeCredentials } from '../credentials/changes/credential-feed.ts';
import type { CredentialFeed } from '../credentials/changes/credential-feed.ts';
import { resetSecondFactor } from './second-factors/reset-second-factor.ts';
import { administer, adminActions, listAccounts } from './administration.ts';
import type { AdminAction, ListAccountsDeps } from './administration.ts';
import { findAccountEmail } from './mail/email.ts';
import { endAllSessions, endSession } from './sessions/end-session.ts';
import { listSessions } from './sessions/list-sessions.ts';
import type { Records } from '../records/records.ts';

const operatorUsage = `usage: pnpm admin <command>

  doctor [--json] [--session]  looks at settings, stores, clocks, the public address and mail, and says what to do
  list                         all accounts
  make-administrator <e-mail>  may use /admin
  force-rotation <e-mail>      blocks API access until the master key is regenerated
  disable <e-mail>             blocks the account and ends its sessions
  enable <e-mail>              lets it in again
  reset-second-factor <e-mail> removes its second factors and recovery codes, ends its sessions
  list-sessions <e-mail>       its sessions: id, device, address, last use, end
  end-sessions <e-mail> [id]   ends all of its sessions, or the one by that id`;

interface OperatorDeps extends ListAccountsDeps {
  records: Pick<Records, 'auditIn'>;
}

/** What a command does to an account; it answers what to print. */
type Command = (
  deps: OperatorDeps,
  account: { id: string; email: string },
  argument: string,
) => Promise<string>;

const commands: Readonly<Record<string, Command>> = {
  'make-administrator': makeAdministrator,
  ...Object.fromEntries(Object.keys(adminActions).map((action) => [action, act(action as AdminAction)])),
  async 'reset-second-factor'({ db, records }, account) {
    const { change } = asFeed(db);
    await resetSecondFactor({ change, records }, account.id);
    return 'done';
  },
  'list-sessions': describeSessions,
  'end-sessions': endSessions,
};

/**
 * The operator's command line. Running instances hear of it within a second. Answers what to print; throws
 * with the usage for what is no command, and for an address without an account.
 */
export async function runOperatorCommand(
  deps: OperatorDeps,
  [name = '', email = '', argument = '']: readonly string[],
): Promise<string> {
  if (name === 'list') return await describeAccounts(deps);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command || email === '') throw new Error(operatorUsage);
  return `${email}: ${await command(deps, await findAccount(deps.db, email), argument)}`;
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

/** Instances hear of it by their poll. */
function asFeed(db: Database): Pick<CredentialFeed, 'change'> {
  return { change: async (work) => (await changeCredentials(db, work)).result };
}

function act(action: AdminAction): Command {
  return async ({ db, records }, { id }) => {
    const record = { actor: 'operator' } as const;
    await administer({ feed: asFeed(db), records }, { accountId: id, action, now: Date.now(), record });
    return 'done';
  };
}

async function makeAdministrator(
  { db, records }: OperatorDeps,
  { id: accountId }: { id: string },
): Promise<string> {
  await db.transaction().execute(async (trx) => {
    await trx.updateTable('accounts').set({ isAdministrator: true }).where('id', '=', accountId).execute();
    await records.auditIn(trx, {
      accountId,
      event: 'account.made_administrator',
      actor: 'operator',
      subjectId: accountId,
    });
  });
  return 'done';
}

async function endSessions(
  { db, records }: OperatorDeps,
  { id: accountId }: { id: string },
  sessionId: string,
): Promise<string> {
  const deps = { feed: asFeed(db), records };
  if (sessionId === '') {
    const count = await endAllSessions(deps, { accountId, record: { actor: 'operator' } });
    return `${count} sessions ended`;
  }
  const record = { event: 'session.revoked', actor: 'operator' } as const;
  if (!(await endSession(deps, { accountId, sessionId, record })))
    throw new Error(`the account has no session by the id ${sessionId}`);
  return '1 session ended';
}

async function describeSessions({ db }: OperatorDeps, { id }: { id: string }): Promise<string> {
  const sessions = await listSessions({ db, now: Date.now }, id, { limit: 10_000 });
  const lines = sessions.map(
    ({ device, ipAddress, lastUsedAt, idleExpiresAt, ...session }) =>
      `\n${session.id}  ${device}  from ${ipAddress}  last used ${lastUsedAt}  ends ${idleExpiresAt} if it is not used`,
  );
  return lines.join('') || 'no sessions';
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
