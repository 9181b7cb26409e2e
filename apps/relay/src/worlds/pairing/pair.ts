import { storable, newId } from '@tabletop-relay/database';
import type { PairAnswer, PairBody } from '@tabletop-relay/contract';
import type { Database, RelaySecrets, Tables } from '@tabletop-relay/database';
import { addressBlock, toPlainText } from '@tabletop-relay/kit';
import { sql } from 'kysely';
import type { Selectable, Transaction } from 'kysely';
import { hmacCodes, readPairingCode } from '../../credentials/codes.ts';
import { createSecret } from '../../credentials/secret.ts';
import { ProblemError } from '../../problem.ts';
import { withAccountLocked } from '../../accounts/account-lock.ts';
import type { LockDeps } from '../../accounts/account-lock.ts';
import type { Sender } from '../../endpoint-handler.ts';
import type { Records } from '../../records/records.ts';
import { checkBrowserBound } from '../bounds.ts';
import type { WorldBounds } from '../bounds.ts';
import { chooseClientToPair } from './choose-client-to-pair.ts';
import type { PairingWorld } from './choose-client-to-pair.ts';
import { auditOf, nameOfBrowser } from '../../records/sender.ts';

export interface PairingDeps extends LockDeps {
  db: Database;
  records: Pick<Records, 'auditIn'>;
  bounds: WorldBounds;
  /** RELAY_SECRET: keys the HMACs of pairing codes. */
  secrets: RelaySecrets;
  now(): number;
}

type Code = Selectable<Tables['pairingCodes']>;

const maxFailures = 1000;
const failureWindowMs = 600_000;

/**
 * Exchanges a code for a connection token. One code gives one token, however many try at once; a wrong code
 * counts against the budget of all addresses together.
 */
export async function pair(
  deps: PairingDeps,
  input: { body: PairBody; origin: string; sender: Sender; relayUrl: string },
): Promise<PairAnswer> {
  const world = readWorld(input.body, input.origin);
  const found = await findCode(deps, input.body.code, input.sender);
  const token = createSecret('connectionToken');
  const tokenId = newId(deps.now());
  const name = nameOfBrowser(input.sender.userAgent);
  const client = await withAccountLocked(deps, { accountId: found.accountId }, async (trx) => {
    const code = await takeCode(trx, found.id, deps.now());
    const chosen = await chooseClientToPair(trx, deps.bounds, { code, world });
    await checkBrowserBound(trx, deps.bounds, chosen.clientId);
    await trx
      .insertInto('connectionTokens')
      .values({
        id: tokenId,
        accountId: code.accountId,
        clientId: chosen.clientId,
        hash: token.hash,
        hint: token.hint,
        name,
        allowedTargetClients: code.allowedTargetClients,
        remoteScopes: code.remoteScopes,
        ipAllowlist: code.ipAllowlist,
        worldId: world.worldId,
        systemId: world.systemId,
        origin: world.origin,
      })
      .execute();
    await deps.records.auditIn(trx, {
      accountId: code.accountId,
      ...(chosen.reusedBy
        ? { event: 'client.paired_again', detail: { tokenName: name, by: chosen.reusedBy } }
        : { event: 'client.paired', detail: { tokenName: name } }),
      clientId: chosen.clientId,
      subjectId: tokenId,
      ...auditOf(input.sender),
    });
    return chosen;
  });
  return { token: token.value, clientId: client.clientId, relayUrl: input.relayUrl };
}

/** Cleans names that people read instead of refusing them. Ids are compared as they were sent. */
export function readWorld(body: Omit<PairBody, 'code'>, origin: string): PairingWorld {
  const text = readText;
  const name = (value: unknown) => toPlainText(text(value));
  return {
    worldId: text(body.worldId),
    worldTitle: name(body.worldTitle),
    tabletopVersion: name(body.tabletopVersion ?? body.foundryVersion),
    systemId: text(body.systemId),
    systemTitle: name(body.systemTitle),
    systemVersion: name(body.systemVersion),
    customName: name(body.customName),
    existingClientId: text(body.existingClientId),
    serverFingerprint: text(body.serverFingerprint),
    origin: text(origin),
  };
}

/** The value if it is text with content; else empty. */
export const readText = (value: unknown): string => storable(isPlain(value) ? String(value) : '', 200);

const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);

const noSuchCode = 'No such code. Codes have six characters and live for ten minutes.';

async function findCode(deps: PairingDeps, typed: string, sender: Sender): Promise<Code> {
  const text = readPairingCode(typed);
  // No code has this form, so it is no guess. If it counted, anybody could shut out others without any risk.
  if (text === undefined) throw new ProblemError('not_found', noSuchCode);
  const code = await deps.db
    .selectFrom('pairingCodes')
    .selectAll()
    .where('codeHmac', 'in', hmacCodes(deps.secrets, 'pairing-code', text))
    .executeTakeFirst();
  const isGuessing = (await countFailures(deps)) >= maxFailures;
  const isFromHome = code && addressBlock(code.createdFrom) === addressBlock(sender.ipAddress);
  if (code && (isFromHome || !isGuessing)) return code;
  await addFailure(deps);
  throw new ProblemError(
    'not_found',
    isGuessing
      ? 'No such code. Too many wrong ones were tried lately: for now a code works only from the network where it was made.'
      : noSuchCode,
  );
}

async function countFailures({ db, now }: Pick<PairingDeps, 'db' | 'now'>): Promise<number> {
  const { total } = await db
    .selectFrom('pairingFailures')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<string>('failures'), sql<string>`0`).as('total'))
    .where('minute', '>', new Date(now() - failureWindowMs))
    .executeTakeFirstOrThrow();
  return Number(total);
}

async function addFailure({ db, now }: Pick<PairingDeps, 'db' | 'now'>): Promise<void> {
  const minute = new Date(Math.floor(now() / 60_000) * 60_000);
  await db
    .insertInto('pairingFailures')
    .values({ minute, failures: 1 })
    .onConflict((conflict) =>
      conflict.column('minute').doUpdateSet({ failures: sql`pairing_failures.failures + 1` }),
    )
    .execute();
}

async function takeCode(trx: Transaction<Tables>, id: string, now: number): Promise<Code> {
  const code = await trx
    .selectFrom('pairingCodes')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!code) throw new ProblemError('code_expired', 'This code was replaced by a newer one.');
  if (code.usedAt) throw new ProblemError('code_used');
  if (code.expiresAt.getTime() <= now) throw new ProblemError('code_expired');
  await trx
    .updateTable('pairingCodes')
    .set({ usedAt: new Date(now) })
    .where('id', '=', id)
    .execute();
  return code;
}
