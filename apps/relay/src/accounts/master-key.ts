import type { accountEndpoints } from '@tabletop-relay/contract';
import { createSecret } from '../credentials/secret.ts';
import type { HandlersOf, Sender } from '../endpoint-handler.ts';
import { ProblemError } from '../problem.ts';
import type { Records } from '../records/records.ts';
import { auditOf } from '../records/sender.ts';
import { withVerifiedAccount } from './account-lock.ts';
import type { LockDeps, VerifiedAccount } from './account-lock.ts';
import type { AccountPart } from './account-part.ts';
import { checkCredentials, wrongCredentials } from './credentials-check.ts';
import type { CredentialDeps } from './credentials-check.ts';
import { clearSessionCookie } from './sessions/session-cookie.ts';
import { readDevices } from './sign-in/known-devices.ts';

export interface MasterKeyDeps extends CredentialDeps, LockDeps {
  records: Pick<Records, 'audit' | 'auditIn'>;
  parts: readonly Pick<AccountPart, 'endCredentials'>[];
}

/**
 * A new master key. Scoped keys, connection tokens, sessions, codes, requests and reset links all end with the
 * old one, everywhere; a force-rotation flag is cleared.
 */
async function rotateMasterKey(
  deps: LockDeps & Pick<MasterKeyDeps, 'records' | 'parts'>,
  account: VerifiedAccount,
  sender: Sender,
): Promise<string> {
  const masterKey = createSecret('masterKey');
  const check = { verified: account, detail: wrongCredentials };
  await withVerifiedAccount(deps, check, async (trx, announce) => {
    await trx.deleteFrom('sessions').where('accountId', '=', account.id).execute();
    await trx.deleteFrom('passwordResets').where('accountId', '=', account.id).execute();
    for (const part of deps.parts) await part.endCredentials(trx, account.id);
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

export const masterKeyHandlers = (
  deps: MasterKeyDeps,
): HandlersOf<Pick<typeof accountEndpoints, 'regenerateMasterKey'>> => ({
  async regenerateMasterKey({ body }, { sender, cookies, publicUrl }) {
    const account = await checkCredentials(deps, {
      ...body,
      purpose: 'regenerateMasterKey',
      sender,
      publicUrl,
      devices: readDevices(cookies),
    });
    if (account.isAdministrator && !account.hasSecondFactor) throw new ProblemError('second_factor_missing');
    const masterKey = await rotateMasterKey(deps, account, sender);
    clearSessionCookie(cookies);
    return { masterKey };
  },
});
