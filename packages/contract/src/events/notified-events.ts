import { auditEvents } from './audit-events.ts';
import type { AuditEvent } from './audit-events.ts';
import type { ConnectionOutcome } from './connection-outcomes.ts';

/** What an account can be told of, each to be chosen in its notification settings. */
export const notifiedEvents = {
  connect: 'A world connected',
  disconnect: 'A world disconnected',
  metadataMismatch: 'A world connected that differs from the one that was paired',
  duplicateRejected: 'A second browser was refused, because another is connected as the world',
  security: 'Something important changed: the account, its keys or its browsers',
} as const;

export type NotifiedEvent = keyof typeof notifiedEvents;

export const notifiedEventNames = Object.keys(notifiedEvents) as NotifiedEvent[];

/** What a message calls what it tells: an event that was chosen, or `attention`, which who chose `security` is told too. */
export const toldEventNames = [...notifiedEventNames, 'attention'] as const;
export type ToldEventName = (typeof toldEventNames)[number];

/** The events of worlds that an operator hears of too. */
export const operationalEvents: readonly NotifiedEvent[] = notifiedEventNames.filter(
  (name) => name !== 'security',
);

/** The audit events that are told as `security` or as `attention`. */
export const notifiedAuditEvents: readonly string[] = Object.entries<AuditEvent>(auditEvents)
  .filter(([, { notified }]) => notified)
  .map(([name]) => name);

/**
 * The outcomes of the connection log that are told. Whoever goes on to another instance by a handover has not
 * disconnected: its row takes back the `connected` of its next socket.
 */
export const notifiedOutcomes = {
  connected: 'connect',
  disconnected: 'disconnect',
  duplicate: 'duplicateRejected',
  handed_over: undefined,
} as const satisfies Partial<Record<ConnectionOutcome, NotifiedEvent | undefined>>;

/** What holds for an account that has set nothing. Mails go out as soon as its address is confirmed. */
export const notificationDefaults = {
  events: notifiedEventNames,
  emailEnabled: true,
  batchSeconds: 60,
} as const;

/** What takes a webhook's messages, and so how they are written. */
export const webhookKinds = ['standard', 'discord', 'slack', 'mattermost'] as const;
export type WebhookKind = (typeof webhookKinds)[number];
