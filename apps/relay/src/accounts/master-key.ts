import { RegenerateKeyAnswer, RegenerateKeyBody } from '@tabletop-relay/contract';
import type { Tables } from '@tabletop-relay/database';
import type { Transaction } from 'kysely';
import { createSecret } from '../credentials/secret.ts';
import { withVerifiedAccount } from './account-lock.ts';
import type { VerifiedAccount } from './account-lock.ts';
import { checkCredentials, wrongCredentials } from './credentials-check.ts';
import type { AccountApp, AccountDeps } from './deps.ts';
import type { Sender } from '../records/sender.ts';
import { readDevices } from './sign-in/known-devices.ts';
import { limitOf } from '../limits/limits.ts';
import { auditOf, senderOf } from '../records/sender.ts';
import { clearSessionCookie } from './sessions.ts';

/**
 * A new master key. Scoped keys, connection tokens, sessions, codes, requests and reset links all end with the
 * old one, everywhere; a force-rotation flag is cleared.
 */
async function rotateMasterKey(
  deps: Pick<AccountDeps, 'feed' | 'inTurn' | 'records'>,
  account: VerifiedAccount,
  sender: Sender,
): Promise<string> {
  const masterKey = createSecret('masterKey');
  const check = { verified: account, detail: wrongCredentials };
  await withVerifiedAccount(deps, check, async (trx, announce) => {
    await endAllCredentials(trx, account.id);
    await trx
      .updateTable('accounts')
      .set({
        masterKeyHash: masterKey.hash,
        masterKeyHint: masterKey.hint,
        masterKeyLastUsedAt: null,
        rotationRequired: false,
      })
      .where('id', '=', account.id)
      .execute();
    announce({ accountId: account.id, subject: 'account', subjectId: account.id, change: 'revoked' });
    await deps.records.auditIn(trx, {
      accountId: account.id,
      event: 'master_key.rotated',
      subjectId: account.id,
      ...auditOf(sender),
    });
  });
  return masterKey.value;
}

async function endAllCredentials(trx: Transaction<Tables>, accountId: string): Promise<void> {
  await trx.deleteFrom('apiKeys').where('accountId', '=', accountId).execute();
  await trx.deleteFrom('connectionTokens').where('accountId', '=', accountId).execute();
  await trx.deleteFrom('sessions').where('accountId', '=', accountId).execute();
  await trx.deleteFrom('pairingCodes').where('accountId', '=', accountId).execute();
  await trx.deleteFrom('passwordResets').where('accountId', '=', accountId).execute();
  // Kept, so that who polls is told.
  await trx
    .updateTable('keyRequests')
    .set({ status: 'denied', exchangeCodeHash: null })
    .where('accountId', '=', accountId)
    .where('status', '=', 'approved')
    .execute();
}

export function masterKeyRoutes(app: AccountApp, deps: AccountDeps): void {
  app.post(
    '/auth/regenerate-key',
    {
      schema: {
        summary: 'Regenerate the master key',
        description: 'Ends every key, connection token and session of the account. Needs no session.',
        body: RegenerateKeyBody,
        response: { 200: RegenerateKeyAnswer },
      },
      config: { ...limitOf(deps.limits, 'regenerateKey'), problems: ['credentials_invalid', 'overloaded'] },
    },
    async (request, reply) => {
      const publicUrl = deps.publicUrlOf(request);
      const sender = senderOf(request);
      const devices = readDevices(request, publicUrl);
      const account = await checkCredentials(deps, { ...request.body, sender, devices });
      const masterKey = await rotateMasterKey(deps, account, sender);
      clearSessionCookie(reply, publicUrl);
      return { masterKey };
    },
  );
}
