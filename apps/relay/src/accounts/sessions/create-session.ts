import { newId } from '@tabletop-relay/database';
import type { Tables } from '@tabletop-relay/database';
import type { Transaction } from 'kysely';
import type { Announce } from '../../credentials/changes/credential-feed.ts';
import { createSecret, hashSecret, kindOfSecret } from '../../credentials/secret.ts';
import type { Sender } from '../../endpoint-handler.ts';
import type { Records } from '../../records/records.ts';
import { auditOf } from '../../records/sender.ts';
import type { SessionTimes } from './session-settings.ts';

export interface CreateSessionDeps {
  records: Pick<Records, 'auditIn'>;
  bounds: { maxSessionsPerAccount: number };
  sessionTimes: SessionTimes;
  now(): number;
}

export interface NewSession {
  sessionId: string;
  token: string;
  expiresAt: Date;
  maxAgeS: number;
}

interface Change {
  trx: Transaction<Tables>;
  announce: Announce;
}

/**
 * Makes a session with a token of its own; the session of `heldToken`, which the browser held, ends. Above the account's
 * bound its oldest sessions end. The transaction must have locked the account's row or made it: two sign-ins that count at
 * the same time would both find room.
 */
export async function createSession(
  { records, bounds, sessionTimes: { sessionMaxMs, sessionIdleMs }, now }: CreateSessionDeps,
  change: Change,
  { accountId, sender, heldToken }: { accountId: string; sender: Sender; heldToken?: string },
): Promise<NewSession> {
  if (heldToken !== undefined) await endHeldSession(change, records, { heldToken, sender });
  await endOldestSessions(change, { accountId, keep: bounds.maxSessionsPerAccount - 1 });
  const at = now();
  const secret = createSecret('session');
  const expiresAt = new Date(at + sessionMaxMs);
  const sessionId = newId(at);
  await change.trx
    .insertInto('sessions')
    .values({
      id: sessionId,
      accountId,
      hash: secret.hash,
      userAgent: sender.userAgent,
      ipAddress: sender.ipAddress,
      lastUsedAt: new Date(at),
      idleExpiresAt: new Date(at + sessionIdleMs),
      expiresAt,
    })
    .execute();
  return { sessionId, token: secret.value, expiresAt, maxAgeS: Math.floor(sessionMaxMs / 1000) };
}

/** Ends the browser's former session, of whichever account: who knows its token must not see what the browser does next. */
async function endHeldSession(
  { trx, announce }: Change,
  records: CreateSessionDeps['records'],
  { heldToken, sender }: { heldToken: string; sender: Sender },
): Promise<void> {
  if (kindOfSecret(heldToken) !== 'session') return;
  const ended = await trx
    .deleteFrom('sessions')
    .where('hash', '=', hashSecret(heldToken))
    .returning(['id', 'accountId'])
    .executeTakeFirst();
  if (!ended) return;
  const { id, accountId } = ended;
  announce({ accountId, subject: 'session', subjectId: id, change: 'revoked' });
  await records.auditIn(trx, { accountId, event: 'session.replaced', subjectId: id, ...auditOf(sender) });
}

async function endOldestSessions(
  { trx, announce }: Change,
  { accountId, keep }: { accountId: string; keep: number },
): Promise<void> {
  const ended = await trx
    .deleteFrom('sessions')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('sessions')
        .select('id')
        .where('accountId', '=', accountId)
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .offset(keep),
    )
    .returning('id')
    .execute();
  for (const { id } of ended) {
    announce({ accountId, subject: 'session', subjectId: id, change: 'revoked' });
  }
}
