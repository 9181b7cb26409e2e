import type { NotificationTest } from '@tabletop-relay/contract';
import { newId } from '@tabletop-relay/database';
import { deliverMail, deliverWebhook } from '@tabletop-relay/notifications';
import type { Delivery, Message, SendMail } from '@tabletop-relay/notifications';
import type { AddressGuard } from '@tabletop-relay/outbound';
import { readAccount } from '../accounts/read-account.ts';
import type { SessionPrincipal } from '../endpoint-handler.ts';
import { ProblemError } from '../problem.ts';
import { secretContext, urlContext } from './read-settings.ts';
import type { ReadSettingsDeps } from './read-settings.ts';

export interface SendTestDeps extends ReadSettingsDeps {
  guard: AddressGuard;
  sendMail: SendMail;
  /** PUBLIC_URL. */
  mailUrl: string | undefined;
}

const timeoutMs = 10_000;

/** Sends a test message at once and once, and answers what the receiver said. It is in no list. */
export async function sendTest(
  deps: SendTestDeps,
  { accountId, email }: SessionPrincipal,
  webhookId: string | undefined,
): Promise<NotificationTest> {
  const message = testMessage(deps.mailUrl);
  const delivery =
    webhookId === undefined
      ? await testMail(deps, { accountId, email, message })
      : await testWebhook(deps, { accountId, webhookId, message });
  const { delivered, status, answer, sent } = delivery;
  return { delivered, status, answer, sent };
}

function testMessage(publicUrl: string | undefined): Message {
  const now = new Date();
  const at = now.toISOString();
  return {
    id: newId(now.getTime()),
    at: now,
    events: [
      {
        event: 'connect',
        sentence: 'This is a test of your notifications.',
        clientId: null,
        count: 1,
        firstAt: at,
        lastAt: at,
      },
    ],
    eventCount: 1,
    ...(publicUrl && { settingsUrl: `${publicUrl}/dashboard/notifications` }),
  };
}

async function testMail(
  { db, sendsMail, sendMail, mailUrl }: SendTestDeps,
  { accountId, email, message }: { accountId: string; email: string; message: Message },
): Promise<Delivery> {
  if (!sendsMail) throw new ProblemError('conflict', 'This relay sends no mail.');
  const { emailConfirmed } = await readAccount(db, accountId);
  if (!emailConfirmed) throw new ProblemError('conflict', 'Confirm your e-mail address first.');
  const domain = mailUrl ? new URL(mailUrl).hostname : 'localhost';
  return await deliverMail({ sendMail, to: email, message, domain });
}

async function testWebhook(
  { db, sealer, guard }: SendTestDeps,
  { accountId, webhookId, message }: { accountId: string; webhookId: string; message: Message },
): Promise<Delivery> {
  const row = await db
    .selectFrom('webhooks')
    .select(['kind', 'sealedUrl', 'sealedSecret'])
    .where('id', '=', webhookId)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  if (!row) throw new ProblemError('not_found', 'You have no such webhook.');
  const url = sealer.open(row.sealedUrl, urlContext(webhookId));
  const secret =
    row.sealedSecret === null ? undefined : sealer.open(row.sealedSecret, secretContext(webhookId));
  if (url === undefined || (row.kind === 'standard' && secret === undefined)) {
    throw new ProblemError('conflict', 'This webhook cannot be read any more. Delete it and enter it anew.');
  }
  return await deliverWebhook({ guard, target: { kind: row.kind, url, secret }, message, timeoutMs });
}
