import type { Database } from '@tabletop-relay/database';
import { createSecret } from '../../credentials/secret.ts';
import type { Sender } from '../../endpoint-handler.ts';
import type { Records } from '../../records/records.ts';
import { auditOf } from '../../records/sender.ts';
import { canonicalEmail, findAccountEmail } from '../mail/email.ts';
import type { SendMail } from '@tabletop-relay/notifications';

export interface SendResetDeps {
  db: Database;
  records: Pick<Records, 'auditIn'>;
  sendMail: SendMail;
  now(): number;
}

const resetLifetimeMs = 3_600_000;
const maxLiveResets = 3;

/** Mails a link that works once, within the hour. An address without an account gets nothing. */
export async function sendReset(
  deps: SendResetDeps,
  typed: string,
  sender: Sender,
  url: string,
): Promise<void> {
  const email = await findAccountEmail(deps.db, typed);
  const account = await deps.db
    .selectFrom('accounts')
    .select('id')
    .where('email', '=', email ?? '')
    .executeTakeFirst();
  // An old account may have an address that is not valid, and its mail could reach somebody else.
  const to = canonicalEmail(email ?? '');
  if (!account || to === undefined) return;
  const now = deps.now();
  const secret = createSecret('passwordReset');
  const isSent = await deps.db.transaction().execute(async (trx) => {
    await trx.selectFrom('accounts').select('id').where('id', '=', account.id).forUpdate().execute();
    const live = await trx
      .selectFrom('passwordResets')
      .select('hash')
      .where('accountId', '=', account.id)
      .where('expiresAt', '>', new Date(now))
      .execute();
    if (live.length >= maxLiveResets) return false;
    await trx
      .insertInto('passwordResets')
      .values({ hash: secret.hash, accountId: account.id, expiresAt: new Date(now + resetLifetimeMs) })
      .execute();
    await deps.records.auditIn(trx, {
      accountId: account.id,
      event: 'password.reset_requested',
      ...auditOf(sender),
    });
    return true;
  });
  if (!isSent) return;
  await deps.sendMail({
    to,
    subject: 'Reset your Tabletop Relay password',
    text: [
      'Somebody, hopefully you, asked to reset the password of your Tabletop Relay account.',
      'This link works once, for an hour:',
      // Browsers send nothing after the # to a server, so the secret is in no log.
      `${url}/dashboard/reset-password#${secret.value}`,
      'If it was not you, nothing needs doing.',
    ].join('\n\n'),
  });
}
