import type { ToldEvent } from '@tabletop-relay/contract';
import type { Delivery } from '@tabletop-relay/notifications';
import { sql } from 'kysely';
import { whenMayTell } from '../outbox/keep-quiet.ts';
import { deliver } from './deliver.ts';
import type { DeliverDeps } from './deliver.ts';
import { retryDelayMs } from './retry.ts';
import { noteWebhook } from './webhook-state.ts';
import type { DueTry } from '../take-due.ts';

export interface SendDeps extends DeliverDeps {
  /** Where a receiver changes what it is told of; absent without PUBLIC_URL. */
  settingsUrl: string | undefined;
  /** A try that a worker did not end within this is made again. */
  leaseMs: number;
  now(): number;
  random(): number;
}

/**
 * Makes one try to deliver a notification. A job that comes twice finds the try taken. A worker that dies in between
 * leaves it held for `leaseMs`, then it is tried again under the same id.
 */
export async function sendNotification(deps: SendDeps, due: DueTry): Promise<void> {
  const taken = await take(deps, due);
  if (!taken) return;
  const message = {
    id: taken.id,
    at: taken.createdAt,
    events: taken.events as unknown as ToldEvent[],
    eventCount: taken.eventCount,
    // The operator has no such settings.
    ...(deps.settingsUrl !== undefined && taken.accountId !== null && { settingsUrl: deps.settingsUrl }),
  };
  const delivery = await deliver(deps, taken, message);
  if (!delivery) return await giveUp(deps, due);
  await settle(deps, due, { ...taken, events: message.events, delivery });
  if (taken.accountId !== null && taken.kind !== 'email') {
    await noteWebhook(deps, { id: taken.target, accountId: taken.accountId, delivery });
  }
}

async function take({ db, leaseMs }: SendDeps, { id, try: number }: DueTry) {
  return await db
    .updateTable('notifications')
    .set({
      tries: number,
      heldUntil: sql<Date>`now() + ${leaseMs} * interval '1 ms'`,
      triedSince: sql<Date>`coalesce(tried_since, now())`,
    })
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .where('tries', '=', number - 1)
    .returning(['id', 'accountId', 'target', 'kind', 'events', 'eventCount', 'createdAt', 'triedSince'])
    .executeTakeFirst();
}

/** There is nobody to send it to any more. What the receiver answered last, if it ever did, stays. */
async function giveUp({ db }: SendDeps, due: DueTry): Promise<void> {
  await db
    .updateTable('notifications')
    .set({
      status: 'failed',
      heldUntil: null,
      answeredAt: sql<Date>`coalesce(answered_at, now())`,
      answer: sql<string>`coalesce(answer, 'This webhook or address is off, or was deleted.')`,
    })
    .where('id', '=', due.id)
    .where('status', '=', 'waiting')
    .where('tries', '=', due.try)
    .execute();
}

interface Tried {
  accountId: string | null;
  events: readonly ToldEvent[];
  triedSince: Date | null;
  delivery: Delivery;
}

async function settle(deps: SendDeps, due: DueTry, { delivery, ...tried }: Tried): Promise<void> {
  const now = deps.now();
  const since = tried.triedSince ?? new Date(now);
  const { notificationRetryMs: firstMs, notificationGiveUpMs } = deps.settings;
  const { retryAfterMs } = delivery;
  const delayMs = retryDelayMs({ tries: due.try, firstMs, retryAfterMs, random: deps.random });
  const againAt = new Date(now + delayMs);
  const isOver = delivery.isFinal === true || againAt.getTime() - since.getTime() > notificationGiveUpMs;
  const status = delivery.delivered ? 'sent' : isOver ? 'failed' : 'waiting';
  await deps.db
    .updateTable('notifications')
    .set({
      status,
      heldUntil: null,
      nextTryAt: status === 'waiting' ? await whenMayTell(deps.db, tried, againAt) : againAt,
      sentAt: delivery.delivered ? new Date(now) : null,
      answeredAt: new Date(now),
      answerStatus: delivery.status,
      answer: delivery.answer,
    })
    .where('id', '=', due.id)
    .where('status', '=', 'waiting')
    .where('tries', '=', due.try)
    .execute();
}
