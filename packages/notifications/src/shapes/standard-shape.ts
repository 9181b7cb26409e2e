import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { Message } from '../message.ts';

/** For programs: see standardwebhooks.com. */
export function standardBody({ events, eventCount, at }: Message): object {
  return { type: 'account.notified', timestamp: at.toISOString(), data: { events, eventCount } };
}

/** Proves who sent the body, and when. The id stays the same when the message is sent again. */
export function standardHeaders(id: string, secret: string, body: string, now: Date): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, now, body),
  };
}

/** A new secret in the form that the libraries of Standard Webhooks read. */
export function createWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
