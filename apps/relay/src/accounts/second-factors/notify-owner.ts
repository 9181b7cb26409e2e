import { auditWords } from '@tabletop-relay/contract';
import type { AuditRecordOf } from '@tabletop-relay/contract';
import type { Logger } from 'pino';
import { canonicalEmail } from '../mail/email.ts';
import type { SendMail } from '../mail/mail.ts';

type Mailed = AuditRecordOf<
  | 'second_factor.added'
  | 'second_factor.removed'
  | 'second_factor.reset'
  | 'recovery_codes.made'
  | 'recovery_code.used'
>;

/** Mails the owner what happened to the second factors. It waits for no mail server, and never throws. */
export type NotifyOwner = (email: string, happened: Mailed) => void;

export function createNotifyOwner(deps: { sendMail: SendMail; log: Logger }): NotifyOwner {
  return (email, happened) => {
    void mailOwner(deps.sendMail, email, happened).catch((error: unknown) =>
      deps.log.error({ err: error }, 'a change of a second factor was not mailed'),
    );
  };
}

/** The mail itself, for who waits for it. An old account may have an address that is not valid: then none is sent. */
export async function mailOwner(sendMail: SendMail, email: string, happened: Mailed): Promise<void> {
  const to = canonicalEmail(email);
  if (to === undefined) return;
  const { sentence } = auditWords({ outcome: 'ok', detail: {}, ...happened });
  await sendMail({
    to,
    subject: 'Your Tabletop Relay account: a second factor',
    text: [
      sentence,
      'If it was you, nothing needs doing.',
      'If it was not you, somebody knows your password: set a new one, look at the second factors of your account, and ask the operator of the relay for help if you cannot sign in.',
    ].join('\n\n'),
  });
}
