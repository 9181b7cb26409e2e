import { webhookKinds } from '@tabletop-relay/contract';
import { count, milliseconds, secret } from '@tabletop-relay/process';
import type { SettingsOf } from '@tabletop-relay/process';
import { Type } from 'typebox';

const yearMs = 31_536_000_000;

/** How notifications are delivered, and where the operator's own go. */
export const notificationSettings = {
  notificationsAtOnce: count(20, 'Notifications that this process delivers at once.'),
  notificationTimeoutMs: milliseconds(10_000, 'How long a receiver may take to answer.', 100),
  notificationRetryMs: milliseconds(
    15_000,
    'Delay before the second try of a notification. It doubles with each further one, up to two hours.',
    1,
  ),
  notificationGiveUpMs: milliseconds(
    86_400_000,
    'How long a notification is tried before it is given up.',
    1,
    yearMs,
  ),
  webhookOffAfterMs: milliseconds(
    259_200_000,
    'How long every message to a webhook may fail before it is switched off.',
    1,
    yearMs,
  ),
  operatorWebhookUrl: Type.Optional(
    secret('Webhook that hears of the worlds of all accounts. OUTBOUND_ALLOW holds for it too.'),
  ),
  operatorWebhookKind: Type.Enum([...webhookKinds], {
    default: 'standard',
    description: 'The form of what goes to OPERATOR_WEBHOOK_URL.',
  }),
  operatorWebhookSecret: Type.Optional(
    Type.String({
      secret: true,
      pattern: '^whsec_[A-Za-z0-9+/]{32,}=*$',
      description: 'Signs what goes to an OPERATOR_WEBHOOK_URL of kind `standard`.',
    }),
  ),
  operatorEmail: Type.Optional(
    Type.String({
      pattern: '^[^\\s@<>,;"]+@[^\\s@<>,;"]+$',
      description: 'Address that hears of the worlds of all accounts; needs SMTP_URL.',
    }),
  ),
  operatorBatchSeconds: Type.Integer({
    minimum: 10,
    default: 300,
    unit: 's',
    description: 'How long what happens is collected for one message to the operator.',
  }),
};

export type NotificationSettings = SettingsOf<typeof notificationSettings>;

/** Returns the problems between these settings. */
export function checkNotificationSettings(config: NotificationSettings & { smtpUrl?: string }): string[] {
  const { operatorWebhookUrl, operatorWebhookKind, operatorWebhookSecret, operatorEmail } = config;
  const problems: string[] = [];
  if (operatorWebhookUrl && !/^https?:$/.test(URL.parse(operatorWebhookUrl)?.protocol ?? '')) {
    problems.push('OPERATOR_WEBHOOK_URL must be an http or https address');
  }
  if (operatorWebhookUrl && operatorWebhookKind === 'standard' && !operatorWebhookSecret) {
    problems.push('OPERATOR_WEBHOOK_SECRET is not set: messages of the kind standard are signed');
  }
  if (operatorEmail && !config.smtpUrl) problems.push('SMTP_URL is not set and OPERATOR_EMAIL is');
  return problems;
}
