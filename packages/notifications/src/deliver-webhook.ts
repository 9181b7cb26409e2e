import type { WebhookKind } from '@tabletop-relay/contract';
import { OutboundError, postGuarded } from '@tabletop-relay/outbound';
import type { AddressGuard } from '@tabletop-relay/outbound';
import { readableAnswer, readRetryAfter } from './delivery.ts';
import type { Delivery } from './delivery.ts';
import type { Message } from './message.ts';
import { discordBody, mattermostBody, slackBody } from './shapes/chat-shapes.ts';
import { standardBody, standardHeaders } from './shapes/standard-shape.ts';

export interface WebhookTarget {
  kind: WebhookKind;
  url: string;
  /** Of the kind `standard`. */
  secret?: string | undefined;
}

export interface WebhookDelivery {
  guard: AddressGuard;
  target: WebhookTarget;
  message: Message;
  timeoutMs: number;
}

const bodies: Record<WebhookKind, (message: Message) => object> = {
  standard: standardBody,
  discord: discordBody,
  slack: slackBody,
  mattermost: mattermostBody,
};

/** Tries a webhook once. Never throws: a failure is a `Delivery` too. */
export async function deliverWebhook({
  guard,
  target,
  message,
  timeoutMs,
}: WebhookDelivery): Promise<Delivery> {
  const body = JSON.stringify(bodies[target.kind](message));
  const now = new Date();
  const signed = target.secret === undefined ? {} : standardHeaders(message.id, target.secret, body, now);
  const headers = { 'content-type': 'application/json', 'user-agent': 'Tabletop-Relay', ...signed };
  try {
    const answer = await postGuarded({ guard, url: target.url, headers, body, timeoutMs });
    const retryAfterMs = readRetryAfter(answer.retryAfter, now.getTime());
    return {
      delivered: answer.status >= 200 && answer.status < 300,
      status: answer.status,
      answer: readableAnswer(answer.text),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      sent: body,
    };
  } catch (error) {
    const answer = error instanceof OutboundError ? error.message : 'the message could not be made';
    return { delivered: false, status: null, answer, sent: body };
  }
}

/** Where a webhook goes, without what makes its address a secret. */
export function labelOf(url: string): string {
  return new URL(url).host;
}
