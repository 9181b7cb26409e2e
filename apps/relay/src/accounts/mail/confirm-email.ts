import type { accountEndpoints } from '@tabletop-relay/contract';
import type { Database } from '@tabletop-relay/database';
import type { MailMessage, SendMail } from '@tabletop-relay/notifications';
import type { Logger } from 'pino';
import { createSecret, hashSecret, kindOfSecret } from '../../credentials/secret.ts';
import type { HandlersOf, Sender } from '../../endpoint-handler.ts';
import { invalidFields, ProblemError } from '../../problem.ts';
import type { Records } from '../../records/records.ts';
import { auditOf } from '../../records/sender.ts';
import { canonicalEmail } from './email.ts';

export interface ConfirmEmailDeps {
  db: Database;
  records: Pick<Records, 'auditIn'>;
  sendMail: SendMail;
  log: Logger;
  /** PUBLIC_URL alone: with it, links in mails are never made from a request. */
  mailUrl: string | undefined;
  now(): number;
}

const lifetimeMs = 7 * 86_400_000;
const maxLiveLinks = 3;

interface Owner {
  accountId: string;
  email: string;
  /** The address that the link names. */
  url: string;
}

/** The mail with a link that confirms the address, once, within a week. Throws `conflict` while three links are open. */
async function makeConfirmation(
  deps: Pick<ConfirmEmailDeps, 'db' | 'now'>,
  { accountId, email, url }: Owner,
): Promise<MailMessage> {
  // An old account may have an address that is not valid, and its mail could reach somebody else.
  const to = canonicalEmail(email);
  if (to === undefined) throw new ProblemError('conflict', 'No mail can be sent to your address.');
  const secret = createSecret('passwordReset');
  const isKept = await deps.db.transaction().execute(async (trx) => {
    await trx.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute();
    const live = await trx
      .selectFrom('emailConfirmations')
      .select('hash')
      .where('accountId', '=', accountId)
      .where('expiresAt', '>', new Date(deps.now()))
      .execute();
    if (live.length >= maxLiveLinks) return false;
    const expiresAt = new Date(deps.now() + lifetimeMs);
    await trx.insertInto('emailConfirmations').values({ hash: secret.hash, accountId, expiresAt }).execute();
    return true;
  });
  if (!isKept) throw new ProblemError('conflict', 'Three links are on their way. Look for the mails.');
  return {
    to,
    subject: 'Confirm your address for Tabletop Relay',
    text: [
      'Somebody, hopefully you, opened a Tabletop Relay account with this address.',
      'This link confirms it, within a week. You are then told of what happens to your worlds, as far as you like:',
      // Browsers send nothing after the # to a server, so the secret is in no log.
      `${url}/dashboard/confirm-email#${secret.value}`,
      'If it was not you, do not open the link. Nothing further is sent to you.',
    ].join('\n\n'),
  };
}

/** Mails the link to a new account. It waits for no mail server, and never throws. */
export async function greetNewAccount(deps: ConfirmEmailDeps, owner: Owner): Promise<void> {
  const onError = (error: unknown) =>
    deps.log.error({ err: error }, 'the link that confirms an address was not mailed');
  await makeConfirmation(deps, owner).then((mail) => void deps.sendMail(mail).catch(onError), onError);
}

async function confirmEmail(deps: ConfirmEmailDeps, token: string, sender: Sender): Promise<void> {
  const invalid = () => invalidFields([{ field: 'token', message: 'is unknown, used or expired' }]);
  if (kindOfSecret(token) !== 'passwordReset') throw invalid();
  await deps.db.transaction().execute(async (trx) => {
    const used = await trx
      .deleteFrom('emailConfirmations')
      .where('hash', '=', hashSecret(token))
      .where('expiresAt', '>', new Date(deps.now()))
      .returning('accountId')
      .executeTakeFirst();
    if (!used) throw invalid();
    const { accountId } = used;
    await trx
      .updateTable('accounts')
      .set({ emailProvenAt: new Date(deps.now()) })
      .where('id', '=', accountId)
      .where('emailProvenAt', 'is', null)
      .execute();
    await trx.deleteFrom('emailConfirmations').where('accountId', '=', accountId).execute();
    await deps.records.auditIn(trx, { accountId, event: 'email.confirmed', ...auditOf(sender) });
  });
}

async function isConfirmed(db: Database, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('accounts')
    .select('emailProvenAt')
    .where('id', '=', accountId)
    .executeTakeFirst();
  return row?.emailProvenAt !== null;
}

export const confirmEmailHandlers = (
  deps: ConfirmEmailDeps,
): HandlersOf<Pick<typeof accountEndpoints, 'confirmEmail' | 'sendConfirmation'>> => ({
  async confirmEmail({ body }, { sender }) {
    await confirmEmail(deps, body.token, sender);
    return {};
  },

  async sendConfirmation(_input, { session: { accountId, email }, publicUrl }) {
    if (await isConfirmed(deps.db, accountId)) {
      throw new ProblemError('conflict', 'Your address is confirmed already.');
    }
    const mail = await makeConfirmation(deps, { accountId, email, url: deps.mailUrl ?? publicUrl });
    await deps.sendMail(mail).catch((cause: unknown) => {
      throw new ProblemError('unavailable', 'The mail server took no mail. Try again later.', { cause });
    });
    return {};
  },
});
