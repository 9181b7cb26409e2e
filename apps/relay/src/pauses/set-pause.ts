import type { Pause, PausePlace } from '@tabletop-relay/contract';
import type { Database, Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';
import type { CredentialFeed } from '../credentials/changes/credential-feed.ts';
import type { Sender } from '../endpoint-handler.ts';
import { ProblemError } from '../problem.ts';
import type { Records } from '../records/records.ts';

/** What can be paused: a scoped key, or a world. */
export type PauseSubject = { keyId: string } | { clientId: string };

/** Who pauses, or lifts a pause, and from where. */
export interface PauseActor extends Partial<Sender> {
  actor: Pause['by'];
  /** Of an administrator: the account. */
  by?: string;
  /** Of a paired browser. */
  tokenId?: string;
  /** The tabletop's user. */
  userName?: string;
}

export interface PauseDeps {
  feed: Pick<CredentialFeed, 'change'>;
  records: Pick<Records, 'auditIn'>;
}

export interface PauseChange {
  accountId: string;
  subject: PauseSubject;
  who: PauseActor;
}

const operators: readonly Pause['by'][] = ['administrator', 'operator'];

/** A pause that was set in the tabletop is of the tabletop, whichever browser it was. */
const setInOf = ({ actor }: PauseActor): PausePlace => (actor === 'token' ? 'tabletop' : 'relay');

const columnOf = (subject: PauseSubject) =>
  'keyId' in subject ? (['keyId', subject.keyId] as const) : (['clientId', subject.clientId] as const);

/**
 * Pauses a key or a world on every instance within a second; has no effect on one that is paused. An administrator makes a standing
 * pause theirs. Throws `not_found` where the account has no such key or world.
 */
export async function setPause(deps: PauseDeps, change: PauseChange): Promise<void> {
  const { accountId, subject, who } = change;
  const [column, id] = columnOf(subject);
  await deps.feed.change(async (trx, announce) => {
    await lockSubject(trx, accountId, subject);
    const set = await trx
      .insertInto('pauses')
      .values({
        keyId: null,
        clientId: null,
        accountId,
        [column]: id,
        setIn: setInOf(who),
        actor: who.actor,
        userName: who.userName ?? '',
      })
      .onConflict((conflict) =>
        conflict
          .columns([column, 'setIn'])
          .doUpdateSet({
            since: sql<Date>`case when pauses.lifted_at is null then pauses.since else clock_timestamp() end`,
            actor: who.actor,
            userName: who.userName ?? '',
            liftedAt: null,
          })
          .where((eb) =>
            eb.or([
              eb('pauses.liftedAt', 'is not', null),
              eb.and([eb.lit(operators.includes(who.actor)), eb('pauses.actor', 'not in', [...operators])]),
            ]),
          ),
      )
      .returning('since')
      .executeTakeFirst();
    if (!set) return;
    // Whoever still uses it is not who the key is for.
    if ('keyId' in subject) await trx.deleteFrom('oldKeyValues').where('keyId', '=', subject.keyId).execute();
    announce({ accountId, ...announced(subject) });
    await deps.records.auditIn(trx, auditRecord('paused', change));
  });
}

/**
 * Lifts the pause that was set where the actor is: in the relay, or in the tabletop. Has no effect where none stands. Throws
 * `not_found`, and `forbidden` where a person would lift what an administrator set.
 */
export async function liftPause(deps: PauseDeps, change: PauseChange): Promise<void> {
  const { accountId, subject, who } = change;
  const [column, id] = columnOf(subject);
  await deps.feed.change(async (trx, announce) => {
    await lockSubject(trx, accountId, subject);
    const standing = await trx
      .selectFrom('pauses')
      .select('actor')
      .where(column, '=', id)
      .where('setIn', '=', setInOf(who))
      .where('liftedAt', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (!standing) return;
    if (who.actor === 'session' && operators.includes(standing.actor))
      throw new ProblemError(
        'forbidden',
        'An administrator of this relay set the pause. Ask them to lift it.',
      );
    await trx
      .updateTable('pauses')
      .set({ liftedAt: sql<Date>`clock_timestamp()` })
      .where(column, '=', id)
      .where('setIn', '=', setInOf(who))
      .execute();
    announce({ accountId, ...announced(subject) });
    await deps.records.auditIn(trx, auditRecord('resumed', change));
  });
}

const announced = (subject: PauseSubject) =>
  'keyId' in subject
    ? ({ subject: 'key', subjectId: subject.keyId, change: 'changed' } as const)
    : ({ subject: 'client', subjectId: subject.clientId, change: 'changed' } as const);

/** Keeps it from being deleted until the pause is committed. The account comes first, as in all that changes its keys. */
async function lockSubject(
  trx: Transaction<Tables>,
  accountId: string,
  subject: PauseSubject,
): Promise<void> {
  await trx.selectFrom('accounts').select('id').where('id', '=', accountId).forKeyShare().execute();
  const found =
    'keyId' in subject
      ? await trx
          .selectFrom('apiKeys')
          .select('id')
          .where('id', '=', subject.keyId)
          .where('accountId', '=', accountId)
          .forKeyShare()
          .executeTakeFirst()
      : await trx
          .selectFrom('knownClients')
          .select('clientId')
          .where('clientId', '=', subject.clientId)
          .where('accountId', '=', accountId)
          .forKeyShare()
          .executeTakeFirst();
  if (found) return;
  throw new ProblemError('not_found', `There is no ${'keyId' in subject ? 'key' : 'world'} by that id.`);
}

function auditRecord(what: 'paused' | 'resumed', { accountId, subject, who }: PauseChange) {
  const { actor, by, tokenId, userName, ipAddress, userAgent } = who;
  const sender = {
    ...(ipAddress !== undefined && { ipAddress }),
    ...(userAgent !== undefined && { userAgent }),
  };
  const detail = by === undefined ? {} : { by };
  if ('keyId' in subject)
    return {
      accountId,
      event: `api_key.${what}`,
      actor: actor as 'session',
      subjectId: subject.keyId,
      detail,
      ...sender,
    } as const;
  return {
    accountId,
    event: `client.${what}`,
    actor,
    clientId: subject.clientId,
    ...(tokenId !== undefined && { subjectId: tokenId }),
    detail: { ...detail, ...(userName ? { userName } : {}) },
    ...sender,
  } as const;
}

/** A pause that stands, and what it is of. */
export interface SetPause {
  keyId: string | null;
  clientId: string | null;
  pause: Pause;
}

/** The standing pauses of an account, of its keys and its worlds, the oldest first. */
export async function readSetPauses(db: Database | Kysely<Tables>, accountId: string): Promise<SetPause[]> {
  const rows = await db
    .selectFrom('pauses')
    .select(['keyId', 'clientId', 'setIn', 'since', 'actor', 'userName'])
    .where('accountId', '=', accountId)
    .where('liftedAt', 'is', null)
    .orderBy('since')
    .execute();
  return rows.map(({ keyId, clientId, setIn, since, actor, userName }) => ({
    keyId,
    clientId,
    pause: { setIn, since: since.toISOString(), by: actor, userName },
  }));
}
