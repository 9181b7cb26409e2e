import type { Scope } from '@tabletop-relay/contract';
import { isScope, scopeNames, signInScopes } from '@tabletop-relay/contract';
import type { Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { blockedBy } from '../../accounts/block.ts';
import type { Blocked } from '../../accounts/block.ts';
import { findMasterKey, usesOfMasterKeys } from '../../accounts/find-master-key.ts';
import { pausesOf, readPauses, selectPauses } from '../../pauses/pauses.ts';
import type { PauseHolder } from '../../pauses/pauses.ts';
import { reachedBy, scopesInForce, usersByWorld } from '../../worlds/acting-users.ts';
import type { ActingHolder } from '../../worlds/acting-users.ts';

/** The rights of an API key, without the key itself. */
export interface Principal extends PauseHolder, ActingHolder {
  kind: 'master' | 'scoped';
  accountId: string;
  /** The id of the key. For a master key it is the account's id. */
  keyId: string;
  keyName: string;
  scopes: ReadonlySet<Scope>;
  /** The clients that the key may reach. Null means all clients of the account, an empty set none. */
  clientIds: ReadonlySet<string> | null;
  /** Whether a signed-in person chose its scopes, and no program asked for them. */
  scopesByHand: boolean;
  /** Calls per calendar month (UTC); null means no limit. */
  monthlyLimit: number | null;
  expiresAtMs: number | null;
  /** Until when the value that it was found by works, where the key was rolled since; null for the key's own value. */
  oldValueEndsAtMs: number | null;
  /** The program that was signed in, where the value is one of its access tokens; null for a key. */
  signedIn: SignedIn | null;
  /** The reason why the account may not use the API; null if it may. */
  blocked: Blocked | null;
}

interface SignedIn {
  /** When the access token ends. */
  endsAtMs: number;
}

const allScopes: ReadonlySet<Scope> = new Set(scopeNames);

type ScopedKeyRow = Awaited<ReturnType<ReturnType<typeof selectKeys>['executeTakeFirst']>>;

const selectKeys = (db: Kysely<Tables>) =>
  db
    .selectFrom('apiKeys')
    .select([
      'id as keyId',
      'name as keyName',
      'accountId',
      'scopes',
      'actingUserIds',
      'monthlyLimit',
      'expiresAt',
      'reachesPaused',
      'scopesByHand',
    ])
    .select(reachedBy<string[] | null>('client_ids').as('clientIds'))
    .select(selectPauses('apiKeys.accountId', 'apiKeys.id').as('pauses'))
    .select(blockedBy('apiKeys.accountId').as('blocked'));

/** Until when the value works that a key was found by; null: as long as the key. */
interface ValueEnds {
  oldValueEndsAt: Date | null;
  tokenEndsAt: Date | null;
}

function principalOf(
  { expiresAt, ...key }: NonNullable<ScopedKeyRow>,
  { oldValueEndsAt, tokenEndsAt }: ValueEnds,
): Principal {
  const inForce = scopesInForce(key.actingUserIds, key.scopes.filter(isScope));
  return {
    ...key,
    kind: 'scoped',
    // A row may be older than the rule.
    scopes: new Set(tokenEndsAt ? inForce.filter((scope) => signInScopes.includes(scope)) : inForce),
    signedIn: tokenEndsAt && { endsAtMs: tokenEndsAt.getTime() },
    clientIds: key.clientIds && new Set(key.clientIds),
    actingUserIds: usersByWorld(key.actingUserIds),
    expiresAtMs: expiresAt?.getTime() ?? null,
    oldValueEndsAtMs: oldValueEndsAt?.getTime() ?? null,
    pauses: pausesOf(key.pauses),
  };
}

/** The principal of the scoped key with this id, as by its own value. */
export async function readScopedKey(db: Kysely<Tables>, keyId: string): Promise<Principal | undefined> {
  const key = await selectKeys(db).where('id', '=', keyId).executeTakeFirst();
  return key && principalOf(key, { oldValueEndsAt: null, tokenEndsAt: null });
}

/** The principal of the key, old value or access token with this hash (base64url), or of the master key. */
export async function readKey(
  db: Kysely<Tables>,
  keyHash: string,
  now: number,
): Promise<Principal | undefined> {
  const bytes = Buffer.from(keyHash, 'base64url');
  const old = db
    .selectFrom('oldKeyValues')
    .where('oldKeyValues.hash', '=', bytes)
    .where('endsAt', '>', new Date(now));
  const token = db
    .selectFrom('oauthTokens')
    .where('oauthTokens.hash', '=', bytes)
    .where('oauthTokens.endsAt', '>', new Date(now));
  const key = await selectKeys(db)
    .select(token.select('oauthTokens.endsAt').as('tokenEndsAt'))
    .select(old.select('endsAt').as('oldValueEndsAt'))
    .where((or) =>
      or.or([
        or('hash', '=', bytes),
        or('id', '=', old.select('keyId')),
        or('id', '=', token.select('oauthTokens.keyId')),
      ]),
    )
    .executeTakeFirst();
  if (key) {
    const { oldValueEndsAt, tokenEndsAt, ...own } = key;
    return principalOf(own, { oldValueEndsAt, tokenEndsAt });
  }
  const master = await findMasterKey(db, bytes);
  if (!master) return undefined;
  const unlimited = {
    scopes: allScopes,
    clientIds: null,
    // It has all of them, so nobody chose any.
    scopesByHand: false,
    actingUserIds: null,
    monthlyLimit: null,
    expiresAtMs: null,
    oldValueEndsAtMs: null,
    signedIn: null,
  };
  return {
    ...master,
    ...unlimited,
    kind: 'master',
    keyId: master.accountId,
    keyName: 'Master key',
    pauses: await readPauses(db, master.accountId),
  };
}

/** Whether a sign-in goes on whose tokens begin so, by the hash of what they have in common. */
export async function isKnownFamily(db: Kysely<Tables>, familyHash: string): Promise<boolean> {
  const grant = await db
    .selectFrom('oauthGrants')
    .select('keyId')
    .where('familyHash', '=', Buffer.from(familyHash, 'base64url'))
    .executeTakeFirst();
  return grant !== undefined;
}

/** Reads the hashes of the keys that were used last, and of the families of tokens. */
export async function readRecentKeys(db: Kysely<Tables>, count: number): Promise<string[]> {
  const rows = await db
    .selectFrom('apiKeys')
    .select(['hash', 'lastUsedAt as used'])
    .where('lastUsedAt', 'is not', null)
    .unionAll(
      db
        .selectFrom('oldKeyValues')
        .select(['hash', 'lastUsedAt as used'])
        .where('lastUsedAt', 'is not', null)
        .where('endsAt', '>', sql<Date>`now()`),
    )
    .unionAll(
      db
        .selectFrom('oauthGrants')
        .innerJoin('apiKeys', 'apiKeys.id', 'keyId')
        // A new one was never used, and its first use may come to any instance.
        .select(['familyHash as hash', sql<Date | null>`coalesce(last_used_at, created_at)`.as('used')]),
    )
    .unionAll(usesOfMasterKeys(db))
    .orderBy('used', 'desc')
    .limit(count)
    .execute();
  return rows.map((row) => row.hash.toString('base64url'));
}
