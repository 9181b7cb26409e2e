import type { AdminAccount, AuditRecordOf, administrationEndpoints } from '@tabletop-relay/contract';
import type { Database, Tables } from '@tabletop-relay/database';
import type { Updateable } from 'kysely';
import type { CredentialFeed } from '../credentials/changes/credential-feed.ts';
import type { Caller, HandlersOf, Sender, SessionPrincipal } from '../endpoint-handler.ts';
import { liftPause, readSetPauses, setPause } from '../pauses/set-pause.ts';
import type { PauseSubject } from '../pauses/set-pause.ts';
import { ProblemError } from '../problem.ts';
import { paged } from '@tabletop-relay/kit';
import type { PageRead } from '@tabletop-relay/kit';
import type { Records } from '../records/records.ts';
import { auditOf } from '../records/sender.ts';
import type { CountOfAccount } from './account-part.ts';
import { endOtherSessions } from './passwords/end-other-sessions.ts';
import { hasSecondFactor } from './second-factors/factors.ts';
import { endAllSessions, endSession } from './sessions/end-session.ts';
import { listSessions } from './sessions/list-sessions.ts';

/** The actions of an administrator on an account, with the audit event and the change that instances are told. */
export const adminActions = {
  'force-rotation': { event: 'account.rotation_forced', change: 'blocked' },
  disable: { event: 'account.disabled', change: 'blocked' },
  enable: { event: 'account.enabled', change: 'unblocked' },
} as const;

export type AdminAction = keyof typeof adminActions;

/** Who acts, and from where. */
type AdminRecord = Pick<AuditRecordOf<(typeof adminActions)[AdminAction]['event']>, 'actor' | 'detail'> &
  Partial<Sender>;

function changesOf(action: AdminAction, now: number): Updateable<Tables['accounts']> {
  if (action === 'force-rotation') return { rotationRequired: true };
  return { disabledAt: action === 'disable' ? new Date(now) : null };
}

/** Takes effect on every instance within a second; throws `not_found`. `record` says who did it. */
export async function administer(
  deps: Pick<AdministrationDeps, 'feed' | 'records'>,
  input: { accountId: string; action: AdminAction; now: number; record: AdminRecord },
): Promise<void> {
  await deps.feed.change(async (trx, announce) => {
    const updated = await trx
      .updateTable('accounts')
      .set(changesOf(input.action, input.now))
      .where('id', '=', input.accountId)
      .executeTakeFirst();
    if (updated.numUpdatedRows === 0n) throw new ProblemError('not_found', 'No account by that id.');
    if (input.action === 'disable') await endOtherSessions(trx, announce, input.accountId);
    announce({
      accountId: input.accountId,
      subject: 'account',
      subjectId: input.accountId,
      change: adminActions[input.action].change,
    });
    await deps.records.auditIn(trx, {
      accountId: input.accountId,
      event: adminActions[input.action].event,
      subjectId: input.accountId,
      ...input.record,
    });
  });
}

export interface ListAccountsDeps {
  db: Database;
  counts: { clients: CountOfAccount; apiKeys: CountOfAccount };
}

export async function listAccounts(
  { db, counts }: ListAccountsDeps,
  input: PageRead & { id?: string },
): Promise<AdminAccount[]> {
  const rows = await db
    .selectFrom('accounts')
    .select(['id', 'email', 'createdAt', 'isAdministrator', 'rotationRequired', 'disabledAt'])
    .select(hasSecondFactor.as('hasSecondFactor'))
    .select([counts.clients('accounts.id').as('clients'), counts.apiKeys('accounts.id').as('apiKeys')])
    .$if(input.cursor !== undefined, (query) => query.where('id', '<', input.cursor ?? ''))
    .$if(input.id !== undefined, (query) => query.where('id', '=', input.id ?? ''))
    .orderBy('id', 'desc')
    .limit(input.limit)
    .execute();
  return rows.map(({ disabledAt, ...row }) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    disabled: disabledAt !== null,
  }));
}

type AdministratorCaller = Pick<Caller, 'sender'> & { session: SessionPrincipal };

export interface AdministrationDeps extends ListAccountsDeps {
  feed: Pick<CredentialFeed, 'change'>;
  records: Pick<Records, 'auditIn'>;
  now(): number;
}

const recordOf = ({ session, sender }: AdministratorCaller) =>
  ({ actor: 'administrator', detail: { by: session.accountId }, ...auditOf(sender) }) as const;

export function administrationHandlers(deps: AdministrationDeps): HandlersOf<typeof administrationEndpoints> {
  const act =
    (action: AdminAction) =>
    async ({ params: { id } }: { params: { id: string } }, caller: AdministratorCaller) => {
      await administer(deps, { accountId: id, action, now: deps.now(), record: recordOf(caller) });
      const [account] = await listAccounts(deps, { limit: 1, id });
      if (!account) throw new ProblemError('not_found', 'No account by that id.');
      return account;
    };

  const pause =
    <P extends { id: string }>(change: typeof setPause, subjectOf: (params: P) => PauseSubject) =>
    async ({ params }: { params: P }, { session, sender }: AdministratorCaller) => {
      const who = { actor: 'administrator', by: session.accountId, ...auditOf(sender) } as const;
      const subject = subjectOf(params);
      await change(deps, { accountId: params.id, subject, who });
      const standing = await readSetPauses(deps.db, params.id);
      const isOfSubject = (one: (typeof standing)[number]) =>
        'keyId' in subject ? one.keyId === subject.keyId : one.clientId === subject.clientId;
      return { pauses: standing.filter(isOfSubject).map(({ pause: one }) => one) };
    };
  const keyOf = ({ keyId }: { id: string; keyId: string }) => ({ keyId });
  const clientOf = ({ clientId }: { id: string; clientId: string }) => ({ clientId });

  return {
    listAccounts: ({ query }) => paged(query, (page) => listAccounts(deps, page)),
    forceRotation: act('force-rotation'),
    disableAccount: act('disable'),
    enableAccount: act('enable'),
    pauseAccountKey: pause(setPause, keyOf),
    resumeAccountKey: pause(liftPause, keyOf),
    pauseAccountClient: pause(setPause, clientOf),
    resumeAccountClient: pause(liftPause, clientOf),

    async listAccountSessions({ params: { id }, query }) {
      await checkAccount(deps.db, id);
      return await paged(query, (page) => listSessions(deps, id, page));
    },

    async endAccountSession({ params: { id, sessionId } }, caller) {
      const record = { event: 'session.revoked', ...recordOf(caller) } as const;
      if (!(await endSession(deps, { accountId: id, sessionId, record })))
        throw new ProblemError('not_found', 'The account has no session by that id.');
      return {};
    },

    async endAccountSessions({ params: { id } }, caller) {
      return { ended: await endAllSessions(deps, { accountId: id, record: recordOf(caller) }) };
    },
  };
}

async function checkAccount(db: Database, id: string): Promise<void> {
  const account = await db.selectFrom('accounts').select('id').where('id', '=', id).executeTakeFirst();
  if (!account) throw new ProblemError('not_found', 'No account by that id.');
}
