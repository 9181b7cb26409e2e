import { liveHeadlessStates } from '@tabletop-relay/contract';
import type { ConsoleLevel } from '@tabletop-relay/contract';
import type { Tables } from '@tabletop-relay/database';
import { newSealKey } from '@tabletop-relay/headless';
import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';
import { newId } from '../../credentials/id.ts';
import { ProblemError } from '../../problem.ts';
import type { HeadlessSettings } from '../headless-settings.ts';
import type { Holder } from '../holder.ts';
import type { Login } from '../login.ts';

export type SessionBounds = Pick<HeadlessSettings, 'maxHeadlessPerAccount' | 'maxHeadlessKept'>;

export interface NewSession {
  id: string;
  sealKey: Buffer;
}

/** Throws `conflict` where a session of the account starts or runs on the tabletop. Resolves with its others. */
export async function readOthers(
  db: Kysely<Tables>,
  { accountId, keyId, seesAll }: Holder,
  { tabletopUrl }: Login,
): Promise<{ id: string }[]> {
  const live = await db
    .selectFrom('headlessSessions')
    .select(['id', 'keyId', 'tabletopUrl'])
    .where('accountId', '=', accountId)
    .where('state', 'in', [...liveHeadlessStates])
    .execute();
  const there = live.find((session) => session.tabletopUrl === tabletopUrl);
  if (!there) return live;
  throw new ProblemError(
    'conflict',
    'A headless session starts or runs on this tabletop already.',
    seesAll || there.keyId === keyId ? { sessionId: there.id } : {},
  );
}

/**
 * Writes a session that starts. The caller holds the account's lock, so that two starts on one tabletop cannot both find
 * it free. Throws `conflict`.
 */
export async function insertSession(
  trx: Transaction<Tables>,
  input: { holder: Holder; login: Login; consoleLevel: ConsoleLevel | null; bounds: SessionBounds },
): Promise<NewSession> {
  const { holder, login, consoleLevel, bounds } = input;
  const max = bounds.maxHeadlessPerAccount;
  const { accountId, keyId } = holder;
  const others = await readOthers(trx, holder, login);
  if (others.length >= max) {
    throw new ProblemError(
      'conflict',
      `An account may have ${max} headless sessions at once, and this one has them. End one first.`,
    );
  }
  await deleteOldest(trx, accountId, bounds.maxHeadlessKept);
  const session: NewSession = { id: newId(), sealKey: newSealKey() };
  await trx
    .insertInto('headlessSessions')
    .values({ ...session, accountId, keyId, ...login, consoleLevel, failure: null, seenAt: sql`null` })
    .execute();
  await trx.insertInto('headlessViews').values({ sessionId: session.id }).execute();
  return session;
}

/** Ids grow with time. */
async function deleteOldest(trx: Transaction<Tables>, accountId: string, kept: number): Promise<void> {
  const beyond = trx
    .selectFrom('headlessSessions')
    .select('id')
    .where('accountId', '=', accountId)
    .where('endedAt', 'is not', null)
    .orderBy('id', 'desc')
    .offset(kept);
  await trx.deleteFrom('headlessSessions').where('id', 'in', beyond).execute();
}
