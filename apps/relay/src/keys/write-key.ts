import { needsKeyByHand } from '@tabletop-relay/contract';
import type { InputOf, Scope, apiKeyEndpoints } from '@tabletop-relay/contract';
import { newId } from '@tabletop-relay/database';
import type { Database, Tables } from '@tabletop-relay/database';
import { readPlainText } from '@tabletop-relay/kit';
import type { Insertable, Transaction } from 'kysely';
import { withAccountLocked } from '../accounts/account-lock.ts';
import type { Announce } from '../credentials/changes/credential-feed.ts';
import { createSecret } from '../credentials/secret.ts';
import type { Sender, SessionPrincipal } from '../endpoint-handler.ts';
import { invalidField, invalidFields, ProblemError } from '../problem.ts';
import { auditOf } from '../records/sender.ts';
import { changeReach, checkScopesOfUser, reachedBy, worldsColumn } from '../worlds/acting-users.ts';
import type { Reach } from '../worlds/acting-users.ts';
import { checkOwnClients } from '../worlds/find-clients.ts';
import { checkInFuture, checkKeyBound } from './bounds.ts';
import { checkSignInScopes, isGrant } from './oauth/sign-in-scopes.ts';
import type { KeyBounds } from './bounds.ts';
import type { RollDeps } from './roll-key.ts';

export interface ApiKeyDeps extends RollDeps {
  db: Database;
  bounds: Pick<KeyBounds, 'maxKeysPerAccount'>;
}

type BodyOf<N extends 'createApiKey' | 'updateApiKey'> = InputOf<(typeof apiKeyEndpoints)[N]>['body'];

type KeyTerms = Pick<
  Insertable<Tables['apiKeys']>,
  'name' | 'scopes' | 'monthlyLimit' | 'expiresAt' | 'reachesPaused' | 'scopesByHand'
> &
  Reach;

/**
 * Inserts a scoped key and returns its value, which is shown once; that of a grant is thrown away. The caller must hold the
 * account's lock.
 */
export async function insertApiKey(
  trx: Transaction<Tables>,
  input: { accountId: string; now: number; terms: KeyTerms; announce: Announce; isGrant?: boolean },
): Promise<{ id: string; apiKey: string }> {
  const secret = createSecret('scopedKey');
  const id = newId(input.now);
  // A new key is announced too, because modules keep rolls only while a key may ask for them.
  input.announce({ accountId: input.accountId, subject: 'key', subjectId: id, change: 'changed' });
  await trx
    .insertInto('apiKeys')
    .values({
      id,
      accountId: input.accountId,
      hash: secret.hash,
      hint: input.isGrant ? '' : secret.hint,
      ...input.terms,
      clientIds: worldsColumn(input.terms),
    })
    .execute();
  return { id, apiKey: secret.value };
}

/** The terms of a key in a request body, as columns, but its reach. Throws `invalid_request` for an expiry in the past. */
export function readKeyTerms(
  body: BodyOf<'updateApiKey'>,
  now: number,
): Partial<Omit<KeyTerms, keyof Reach>> {
  const { name, scopes, monthlyLimit, expiresAt } = body;
  if (expiresAt) checkInFuture('expiresAt', expiresAt, now);
  return {
    ...(name !== undefined && { name: readPlainText(name, invalidField('name')) }),
    ...(scopes !== undefined && { scopes: [...new Set(scopes)] }),
    ...(monthlyLimit !== undefined && { monthlyLimit }),
    ...(expiresAt !== undefined && { expiresAt: expiresAt === null ? null : new Date(expiresAt) }),
  };
}

export const keyNotFound = () => new ProblemError('not_found', 'You have no key by that id.');

/** Makes a key, and returns its value, which is shown once. */
export async function createApiKey(
  deps: ApiKeyDeps,
  input: { session: SessionPrincipal; body: BodyOf<'createApiKey'>; sender: Sender },
): Promise<{ id: string; apiKey: string }> {
  const { session, body, sender } = input;
  const { accountId } = session;
  const now = deps.now();
  const unlimited = { monthlyLimit: null, expiresAt: null };
  const terms: KeyTerms = {
    ...unlimited,
    name: body.name,
    scopes: body.scopes,
    reachesPaused: body.reachesPaused ?? false,
    scopesByHand: true,
    ...readKeyTerms(body, now),
    ...changeReach(unbound, body),
  };
  checkScopesOfUser(terms.actingUserIds, terms.scopes);
  checkReachesPaused(terms, now);
  return await withAccountLocked(deps, session, async (trx, announce) => {
    await checkKeyBound(trx, deps.bounds, { accountId, now });
    await checkOwnClients(trx, accountId, terms.clientIds ?? []);
    const key = await insertApiKey(trx, { accountId, now, terms, announce });
    await deps.records.auditIn(trx, {
      accountId,
      event: isShort({ ...terms, createdAt: new Date(now) }) ? 'api_key.short_made' : 'api_key.created',
      actor: 'session',
      subjectId: key.id,
      detail: describe(terms),
      ...auditOf(sender),
    });
    return key;
  });
}

/** Whether a change gives a scope that assistants use only where a person gave it. Who changes or takes away others gives none. */
export const givesByHand = (before: readonly string[], given: readonly string[] = before): boolean =>
  given.some((scope) => !before.includes(scope) && needsKeyByHand(scope as Scope));

const unbound: Reach = { clientIds: null, actingUserIds: null };

/** What the audit log keeps of a new key. */
const describe = ({ name, scopes, actingUserIds }: Pick<KeyTerms, 'name' | 'scopes' | 'actingUserIds'>) => ({
  name,
  scopes,
  ...(actingUserIds && { actingUserIds }),
});

/** An hour, and what the clock of a person's computer may be ahead. */
const shortMs = 3_630_000;

/** Whether a key is for one world and an hour, as the pages of the dashboard make them. Nobody is notified of those. */
function isShort({ clientIds, expiresAt, createdAt }: Partial<KeyTerms> & { createdAt: Date }): boolean {
  if (clientIds?.length !== 1 || !expiresAt) return false;
  return new Date(expiresAt).getTime() - createdAt.getTime() <= shortMs;
}

/** A pause stops programs. What goes through it is a person's own try: once, in one world, and soon over. */
function checkReachesPaused({ reachesPaused, clientIds, expiresAt }: Partial<KeyTerms>, now: number): void {
  if (!reachesPaused) return;
  if (expiresAt && new Date(expiresAt).getTime() <= now + 300_000 && clientIds?.length === 1) return;
  throw invalidFields([
    { field: 'reachesPaused', message: 'is for a key of one world that expires within five minutes' },
  ]);
}

/** Changes the terms of a key. Throws `not_found`. */
export async function updateApiKey(
  deps: ApiKeyDeps,
  input: { session: SessionPrincipal; id: string; body: BodyOf<'updateApiKey'>; sender: Sender },
): Promise<void> {
  const { session, id, body, sender } = input;
  const { accountId } = session;
  const terms = readKeyTerms(body, deps.now());
  await withAccountLocked(deps, session, async (trx, announce) => {
    const before = await trx
      .selectFrom('apiKeys')
      .select(['scopes', 'actingUserIds', 'expiresAt', 'createdAt'])
      .select(reachedBy<string[] | null>('client_ids').as('clientIds'))
      .where('id', '=', id)
      .where('accountId', '=', accountId)
      .forUpdate()
      .executeTakeFirst();
    if (!before) throw keyNotFound();
    if (await isGrant(trx, id)) checkSignInScopes(terms.scopes ?? []);
    const reach = changeReach(before, body);
    checkScopesOfUser(reach.actingUserIds, terms.scopes ?? before.scopes);
    const row = await trx
      .updateTable('apiKeys')
      .set({
        ...terms,
        ...(givesByHand(before.scopes, terms.scopes) && { scopesByHand: true }),
        clientIds: worldsColumn(reach),
        actingUserIds: reach.actingUserIds,
      })
      .where('id', '=', id)
      .returning(['name', 'scopes', 'reachesPaused', 'expiresAt', 'createdAt'])
      .executeTakeFirstOrThrow();
    const updated = { ...row, ...reach };
    checkReachesPaused(updated, deps.now());
    if (body.clientIds ?? body.actingUserIds) await checkOwnClients(trx, accountId, reach.clientIds ?? []);
    announce({ accountId, subject: 'key', subjectId: id, change: 'changed' });
    await deps.records.auditIn(trx, {
      accountId,
      event: 'api_key.changed',
      actor: 'session',
      subjectId: id,
      detail: { ...body },
      ...auditOf(sender),
    });
    // Else a lasting key could come about of which nobody is notified.
    if (isShort(before) && !isShort(updated))
      await deps.records.auditIn(trx, {
        accountId,
        event: 'api_key.created',
        actor: 'session',
        subjectId: id,
        detail: describe(updated),
        ...auditOf(sender),
      });
  });
}
