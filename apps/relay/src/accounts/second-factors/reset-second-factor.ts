import type { CredentialFeed } from '../../credentials/changes/credential-feed.ts';
import type { Records } from '../../records/records.ts';
import { endOtherSessions } from '../passwords/end-other-sessions.ts';
import { deleteRecoveryCodes } from './recovery-codes.ts';

/**
 * Removes the second factors and recovery codes of somebody who lost them, on the operator's word. All sessions end: who
 * asked for it signs in with the password.
 */
export async function resetSecondFactor(
  deps: { change: CredentialFeed['change']; records: Pick<Records, 'auditIn'> },
  accountId: string,
): Promise<void> {
  await deps.change(async (trx, announce) => {
    await trx.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute();
    await trx.deleteFrom('secondFactors').where('accountId', '=', accountId).execute();
    await deleteRecoveryCodes(trx, accountId);
    await endOtherSessions(trx, announce, accountId);
    await deps.records.auditIn(trx, { accountId, event: 'second_factor.reset', subjectId: accountId });
  });
}
