import {
  CreatePairingCodeBody,
  PairAnswer,
  PairBody,
  PairingCode,
  SelfUnpairBody,
} from '@tabletop-relay/contract';
import type { Tables } from '@tabletop-relay/database';
import type { Transaction } from 'kysely';
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { hmacCode, newPairingCode } from '../credentials/codes.ts';
import { newId } from '../credentials/id.ts';
import { hashSecret, kindOfSecret } from '../credentials/secret.ts';
import { checkOwnClients, withAccountLocked } from '../accounts/account-lock.ts';
import { checkRoomForBrowser } from '../accounts/bounds.ts';
import { readAllowlist } from './connection-tokens.ts';
import type { AccountApp, AccountDeps } from '../accounts/deps.ts';
import type { Sender } from '../records/sender.ts';
import { limitOf } from '../limits/limits.ts';
import { pair } from './pairing.ts';
import { auditOf, senderOf } from '../records/sender.ts';
import type { SessionPrincipal } from '../accounts/sessions.ts';

const codeLifetimeMs = 600_000;
const maxPlainCodes = 5;

/** A code for a new world or, with `clientId`, for another browser of that world. The oldest beyond the limit ends. */
async function createPairingCode(
  deps: Pick<AccountDeps, 'feed' | 'inTurn' | 'bounds' | 'records' | 'secret' | 'now'>,
  input: { session: SessionPrincipal; body: Static<typeof CreatePairingCodeBody>; sender: Sender },
): Promise<{ code: string; expiresAt: Date }> {
  const { session, body } = input;
  const { accountId } = session;
  const allowlist = readAllowlist(body.ipAllowlist ?? '');
  const now = deps.now();
  const expiresAt = new Date(now + codeLifetimeMs);
  return await withAccountLocked(deps, session, async (trx) => {
    const { clientId, allowedTargetClients = [], remoteScopes = [] } = body;
    await checkOwnClients(trx, accountId, [
      ...(clientId === undefined ? [] : [clientId]),
      ...allowedTargetClients,
    ]);
    // Told to who makes the code; who types it in could do nothing about it.
    if (clientId !== undefined) await checkRoomForBrowser(trx, deps.bounds, clientId);
    await endOldCodes(trx, accountId, clientId ?? null);
    for (;;) {
      const id = newId(now);
      const code = newPairingCode();
      const inserted = await trx
        .insertInto('pairingCodes')
        .values({
          id,
          accountId,
          codeHmac: hmacCode(deps.secret, 'pairing-code', code),
          clientId: clientId ?? null,
          allowedTargetClients,
          remoteScopes,
          ipAllowlist: allowlist,
          createdFrom: input.sender.ipAddress,
          expiresAt,
        })
        .onConflict((conflict) => conflict.column('codeHmac').doNothing())
        .returning('id')
        .executeTakeFirst();
      if (!inserted) continue;
      await deps.records.auditIn(trx, {
        accountId,
        event: 'pairing_code.created',
        actor: 'session',
        clientId: clientId ?? null,
        subjectId: id,
        ...auditOf(input.sender),
      });
      return { code, expiresAt };
    }
  });
}

/** Makes room for one more: one live Add Browser code per client, five plain codes per account. */
async function endOldCodes(
  trx: Transaction<Tables>,
  accountId: string,
  clientId: string | null,
): Promise<void> {
  const live = await trx
    .selectFrom('pairingCodes')
    .select('id')
    .where('accountId', '=', accountId)
    .where('clientId', 'is not distinct from', clientId)
    .where('usedAt', 'is', null)
    .orderBy('id', 'desc')
    .forUpdate()
    .execute();
  const surplus = live.slice(clientId === null ? maxPlainCodes - 1 : 0).map((row) => row.id);
  if (surplus.length > 0) await trx.deleteFrom('pairingCodes').where('id', 'in', surplus).execute();
}

/** What the dashboard calls. */
export function pairingCodeRoutes(app: AccountApp, deps: AccountDeps): void {
  app.post(
    '/auth/pairing-codes',
    {
      schema: {
        summary: 'Make a pairing code',
        description: 'With `clientId` it adds a browser to that world.',
        body: CreatePairingCodeBody,
        response: { 200: PairingCode },
      },
      config: { problems: ['client_not_found', 'conflict', 'rotation_required'] },
    },
    async (request) => {
      const { session, body } = request;
      const made = await createPairingCode(deps, { session, body, sender: senderOf(request) });
      return { code: made.code, expiresIn: codeLifetimeMs / 1000, expiresAt: made.expiresAt.toISOString() };
    },
  );
}

/** What modules call, from any origin. */
export function pairRoutes(app: AccountApp, deps: AccountDeps): void {
  app.post(
    '/auth/pair',
    {
      schema: { summary: 'Pair a browser', body: PairBody, response: { 200: PairAnswer } },
      config: {
        ...limitOf(deps.limits, 'pair'),
        anyOrigin: true,
        problems: [
          'not_found',
          'conflict',
          'code_used',
          'code_expired',
          'rotation_required',
          'account_disabled',
        ],
      },
    },
    async (request) =>
      await pair(deps, {
        body: request.body,
        origin: request.headers.origin ?? '',
        sender: senderOf(request),
        relayUrl: `${deps.publicUrlOf(request).replace(/^http/, 'ws')}/relay`,
      }),
  );

  app.post(
    '/api/self-unpair',
    {
      schema: {
        summary: 'Give a connection token back',
        description: 'Deletes that token and nothing else; an unknown one is answered alike.',
        body: SelfUnpairBody,
        response: { 200: Type.Object({ success: Type.Boolean() }) },
      },
      config: { ...limitOf(deps.limits, 'selfUnpair'), anyOrigin: true },
    },
    async (request) => {
      await unpair(deps, request.body.token, senderOf(request));
      return { success: true };
    },
  );
}

async function unpair(deps: AccountDeps, token: string, sender: Sender): Promise<void> {
  if (kindOfSecret(token) !== 'connectionToken') return;
  await deps.feed.change(async (trx, announce) => {
    const row = await trx
      .deleteFrom('connectionTokens')
      .where('hash', '=', hashSecret(token))
      .returning(['id', 'accountId', 'clientId'])
      .executeTakeFirst();
    if (!row) return;
    announce({ accountId: row.accountId, subject: 'token', subjectId: row.id, change: 'revoked' });
    await deps.records.auditIn(trx, {
      accountId: row.accountId,
      event: 'connection_token.given_back',
      actor: 'token',
      clientId: row.clientId,
      subjectId: row.id,
      ...auditOf(sender),
    });
  });
}
