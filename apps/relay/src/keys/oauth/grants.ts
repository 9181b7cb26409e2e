import type { Tables } from '@tabletop-relay/database';
import { toPlainText } from '@tabletop-relay/kit';
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { Announce } from '../../credentials/changes/credential-feed.ts';
import { createSecret, hashSecret, newFamily } from '../../credentials/secret.ts';
import type { Sender } from '../../endpoint-handler.ts';
import { auditOf } from '../../records/sender.ts';
import { revokeApiKeyIn } from '../api-keys.ts';
import { checkKeyBound } from '../bounds.ts';
import { insertApiKey } from '../write-key.ts';
import type { ApiKeyDeps } from '../write-key.ts';
import { placeOf } from './redirects.ts';

export type GrantRow = Selectable<Tables['oauthGrants']>;

/** What a program is given. */
export interface Tokens {
  access: string;
  /** Undefined where the one that it has goes on. */
  refresh: string | undefined;
  expiresInS: number;
  scopes: readonly string[];
}

const accessMs = 3_600_000;
export const refreshMs = 90 * 86_400_000;

/**
 * A program's name may be anybody's, so where its sign-in led stands beside it wherever people read it. The name is cut for it, and of
 * a long host the beginning, which anybody chooses: `claude.ai.evil.example` is of who has the end.
 */
export function keyNameOf({ clientName, redirectUri }: { clientName: string; redirectUri: string }): string {
  const place = placeOf(redirectUri);
  const shown = place.length > maxPlace ? `…${place.slice(-maxPlace)}` : place;
  return `${toPlainText(clientName.slice(0, maxName - shown.length - 3))} (${shown})`;
}

const maxName = 100;
const maxPlace = 60;

/** The grant that a client has of an account, with the name of its key. */
export async function readGrantOf(
  db: Kysely<Tables>,
  { accountId, clientIdHash }: { accountId: string; clientIdHash: Buffer },
) {
  return await db
    .selectFrom('oauthGrants')
    .innerJoin('apiKeys', 'apiKeys.id', 'keyId')
    .select(['keyId', 'name', 'createdAt'])
    .where('accountId', '=', accountId)
    .where('clientIdHash', '=', clientIdHash)
    .executeTakeFirst();
}

interface NewGrant {
  request: Selectable<Tables['oauthRequests']> & { accountId: string };
  announce: Announce;
  sender: Sender;
}

/**
 * Makes the grant that a person approved, in the place of the one that the client had. It is a key of which nobody has the
 * value. The caller must hold the account's lock.
 */
export async function makeGrant(
  trx: Transaction<Tables>,
  deps: Pick<ApiKeyDeps, 'bounds' | 'records' | 'now'>,
  { request, announce, sender }: NewGrant,
): Promise<Tokens> {
  const { accountId, clientIdHash, grantedScopes, grantedActingUserIds, grantedExpiresAt } = request;
  const now = deps.now();
  const before = await readGrantOf(trx, { accountId, clientIdHash });
  if (before)
    await revokeApiKeyIn(trx, deps, {
      accountId,
      id: before.keyId,
      announce,
      record: { actor: 'relay', detail: { why: 'replaced by a new sign-in' } },
    });
  await checkKeyBound(trx, deps.bounds, { accountId, now });
  const { id: keyId } = await insertApiKey(trx, {
    accountId,
    now,
    announce,
    isGrant: true,
    terms: {
      name: keyNameOf(request),
      scopes: grantedScopes ?? [],
      clientIds: grantedActingUserIds ? Object.keys(grantedActingUserIds) : request.grantedClientIds,
      actingUserIds: grantedActingUserIds,
      monthlyLimit: request.grantedMonthlyLimit,
      expiresAt: grantedExpiresAt,
    },
  });
  const family = newFamily();
  const refresh = createSecret('refreshToken', family);
  await trx
    .insertInto('oauthGrants')
    .values({
      keyId,
      clientIdHash,
      clientSecretHash: request.clientSecretHash,
      clientAuth: request.clientAuth,
      host: placeOf(request.redirectUri),
      familyHash: hashSecret(family),
      refreshHash: refresh.hash,
      refreshEndsAt: new Date(now + refreshMs),
      beforeHash: null,
      rotatedAt: new Date(now),
    })
    .execute();
  await trx
    .updateTable('oauthRequests')
    .set({ status: 'exchanged', keyId })
    .where('id', '=', request.id)
    .execute();
  await deps.records.auditIn(trx, {
    accountId,
    event: 'assistant.signed_in',
    subjectId: keyId,
    detail: { name: keyNameOf(request) },
    ...auditOf(sender),
  });
  const terms = { scopes: grantedScopes ?? [], expiresAt: grantedExpiresAt };
  return { ...(await issueAccess(trx, { keyId, family, now, ...terms })), refresh: refresh.value };
}

interface NewAccess {
  keyId: string;
  family: string;
  now: number;
  scopes: readonly string[];
  /** When the key of the grant ends; null: never. */
  expiresAt: Date | null;
}

/** Makes an access token, and forgets those of the grant that have ended. */
export async function issueAccess(
  trx: Transaction<Tables>,
  { keyId, family, now, scopes, expiresAt }: NewAccess,
): Promise<Omit<Tokens, 'refresh'>> {
  const access = createSecret('accessToken', family);
  const endsAt = Math.min(now + accessMs, expiresAt?.getTime() ?? Infinity);
  await trx
    .deleteFrom('oauthTokens')
    .where('keyId', '=', keyId)
    .where('endsAt', '<=', new Date(now))
    .execute();
  await trx
    .insertInto('oauthTokens')
    .values({ hash: access.hash, keyId, endsAt: new Date(endsAt) })
    .execute();
  return { access: access.value, expiresInS: Math.floor((endsAt - now) / 1_000), scopes };
}
