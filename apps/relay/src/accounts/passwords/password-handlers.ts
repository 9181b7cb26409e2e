import { tryWriting } from '@tabletop-relay/database';
import type { RelaySecrets } from '@tabletop-relay/database';
import type { passwordEndpoints } from '@tabletop-relay/contract';
import type { Logger } from 'pino';
import type { HandlersOf } from '../../endpoint-handler.ts';
import type { Records } from '../../records/records.ts';
import { rememberDevice } from '../sign-in/known-devices.ts';
import { changePassword } from './change-password.ts';
import type { ChangePasswordDeps } from './change-password.ts';
import { resetPassword } from './reset-password.ts';
import type { ResetPasswordDeps } from './reset-password.ts';
import { sendReset } from './send-reset.ts';
import type { SendResetDeps } from './send-reset.ts';

export interface PasswordDeps extends ChangePasswordDeps, ResetPasswordDeps, SendResetDeps {
  log: Logger;
  records: Pick<Records, 'audit' | 'auditIn'>;
  /** Signs the cookie of known devices. */
  secrets: RelaySecrets;
  /** PUBLIC_URL alone: with it, links in mails are never made from a request. */
  mailUrl: string | undefined;
}

export const passwordHandlers = (deps: PasswordDeps): HandlersOf<typeof passwordEndpoints> => ({
  async forgotPassword({ body }, { sender, publicUrl }) {
    // Nobody waits for a mail that cannot be sent. What follows could not say so for addresses that have an account alone.
    await tryWriting(deps.db);
    // Not awaited: the time it takes would tell whether the address has an account.
    void sendReset(deps, body.email, sender, deps.mailUrl ?? publicUrl).catch((error: unknown) =>
      deps.log.error({ err: error }, 'a password reset was not mailed'),
    );
    return { message: 'If the address has an account, a link is on its way.' };
  },

  async resetPassword({ body }, { sender }) {
    await resetPassword(deps, { ...body, sender });
    return {};
  },

  async changePassword({ body }, caller) {
    const account = await changePassword(deps, caller, body);
    rememberDevice(caller.cookies, { account, secrets: deps.secrets });
    return {};
  },
});
