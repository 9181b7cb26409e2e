import type { Database } from '@tabletop-relay/database';
import { administer, listAccounts } from '../accounts/administration.ts';
import type { AdminAction } from '../accounts/administration.ts';
import { findAccount, setAdministrator } from '../accounts/operator.ts';
import type { NamedAccount } from '../accounts/operator.ts';
import { resetSecondFactor } from '../accounts/second-factors/reset-second-factor.ts';
import { endAllSessions, endSession } from '../accounts/sessions/end-session.ts';
import { listSessions } from '../accounts/sessions/list-sessions.ts';
import { changeCredentials } from '../credentials/changes/credential-feed.ts';
import type { CredentialFeed } from '../credentials/changes/credential-feed.ts';
import { maxRows, printTable, printTime } from './command.ts';
import type { AdminCommand, AdminDeps, Answer } from './command.ts';
import { liftPause, setPause } from '../pauses/set-pause.ts';

/** Commands on accounts and their sessions. Each change is in the account's audit log. */
export const accountCommands: Readonly<Record<string, AdminCommand>> = {
  list: { takes: '', summary: 'all accounts', run: describeAccounts },
  'make-administrator': onAccount('may use /admin', ({ db, records }, { id }) =>
    setAdministrator({ db, records }, id, true),
  ),
  'remove-administrator': onAccount('may not use /admin any more', ({ db, records }, { id }) =>
    setAdministrator({ db, records }, id, false),
  ),
  'force-rotation': onAccount('blocks API access until the master key is regenerated', act('force-rotation')),
  disable: onAccount('blocks the account and ends its sessions', act('disable')),
  enable: onAccount('lets it in again', act('enable')),
  'reset-second-factor': onAccount(
    'removes its second factors and recovery codes, ends its sessions',
    ({ db, records }, { id }) => resetSecondFactor({ change: asFeed(db).change, records }, id),
  ),
  'list-sessions': {
    takes: '<e-mail>',
    summary: 'its sessions: id, device, address, last use, end',
    run: describeSessions,
  },
  'end-sessions': {
    takes: '<e-mail> [id]',
    summary: 'ends all of its sessions, or the one by that id',
    run: endSessions,
  },
  pause: onSubject('refuses calls of its key, or to its world, until they are resumed', setPause),
  resume: onSubject('lifts that pause, and one that its owner set in the relay', liftPause),
};

/** Instances hear of it by their poll. */
function asFeed(db: Database): Pick<CredentialFeed, 'change'> {
  return { change: async (work) => (await changeCredentials(db, work)).result };
}

function onAccount(
  summary: string,
  change: (deps: AdminDeps, account: NamedAccount) => Promise<unknown>,
): AdminCommand {
  return {
    takes: '<e-mail>',
    summary,
    async run(deps, [typed = '']) {
      const account = await findAccount(deps.db, typed);
      await change(deps, account);
      return { text: `${typed}: done`, json: { email: account.email, done: true } };
    },
  };
}

function onSubject(summary: string, change: typeof setPause): AdminCommand {
  return {
    takes: '<e-mail> <key | world> <id>',
    summary,
    async run({ db, records }, [typed = '', kind = '', id = '']) {
      if (kind !== 'key' && kind !== 'world') throw new Error(`say “key” or “world” in place of “${kind}”`);
      const account = await findAccount(db, typed);
      const subject = kind === 'key' ? { keyId: id } : { clientId: id };
      const who = { actor: 'operator' } as const;
      await change({ feed: asFeed(db), records }, { accountId: account.id, subject, who });
      return { text: `${kind} ${id}: done`, json: { email: account.email, [kind]: id, done: true } };
    },
  };
}

function act(action: AdminAction) {
  return ({ db, records }: AdminDeps, { id }: NamedAccount) => {
    const record = { actor: 'operator' } as const;
    return administer({ feed: asFeed(db), records }, { accountId: id, action, now: Date.now(), record });
  };
}

async function endSessions(
  { db, records }: AdminDeps,
  [typed = '', sessionId]: readonly string[],
): Promise<Answer> {
  const { id: accountId, email } = await findAccount(db, typed);
  const deps = { feed: asFeed(db), records };
  if (sessionId === undefined) {
    const ended = await endAllSessions(deps, { accountId, record: { actor: 'operator' } });
    return { text: `${typed}: ${ended} sessions ended`, json: { email, ended } };
  }
  const record = { event: 'session.revoked', actor: 'operator' } as const;
  if (!(await endSession(deps, { accountId, sessionId, record })))
    throw new Error(`the account has no session by the id ${sessionId}`);
  return { text: `${typed}: 1 session ended`, json: { email, ended: 1 } };
}

async function describeSessions({ db }: AdminDeps, [typed = '']: readonly string[]): Promise<Answer> {
  const { id } = await findAccount(db, typed);
  const sessions = await listSessions({ db, now: Date.now }, id, { limit: maxRows });
  const rows = sessions.map((session) => ({
    id: session.id,
    device: session.device,
    address: session.ipAddress,
    'last used': printTime(session.lastUsedAt),
    'ends if unused': printTime(session.idleExpiresAt),
  }));
  return { text: printTable(rows, 'no sessions'), json: { sessions } };
}

async function describeAccounts(deps: AdminDeps): Promise<Answer> {
  const accounts = await listAccounts(deps, { limit: maxRows });
  const rows = accounts.map(({ email, createdAt, clients, apiKeys, ...account }) => {
    const marks = [
      account.isAdministrator && 'administrator',
      account.hasSecondFactor && 'second factor',
      account.rotationRequired && 'must rotate',
      account.disabled && 'disabled',
    ].filter(Boolean);
    return {
      'e-mail': email,
      since: createdAt.slice(0, 10),
      worlds: clients,
      keys: apiKeys,
      state: marks.join(', '),
    };
  });
  return { text: printTable(rows, 'no accounts'), json: { accounts } };
}
