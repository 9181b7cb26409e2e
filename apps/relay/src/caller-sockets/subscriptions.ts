import { callerChannels, shorten } from '@tabletop-relay/contract';
import { invalidFields, ProblemError } from '../problem.ts';
import type { Subscribe } from '../streams/subscribe.ts';
import type { Subscription } from '../streams/subscription.ts';
import type { Admit, TellRefusal } from './admission.ts';
import { isId } from './caller-socket.ts';
import type { CallerSocket } from './caller-socket.ts';
import { problemOf, toldFailure } from './failures.ts';
import { SocketEvents } from './socket-events.ts';

export interface SubscriptionsDeps {
  admit: Admit;
  subscribe: Subscribe;
  tellRefusal: TellRefusal;
  settings: { streamQueueBytes: number };
}

/** So many channels a socket may follow. */
export const mostSubscriptions = 32;

export interface SubscribeMessage {
  traceId: string;
  /** `requestId`, where the message has one. */
  named: { requestId?: string };
  fields: Readonly<Record<string, unknown>>;
}

/** Opens subscriptions of a socket, one after the other: what was missed by one is read before the next asks for more. */
export function createSubscriptions({ admit, subscribe, tellRefusal, settings }: SubscriptionsDeps) {
  const opening = new WeakMap<CallerSocket, Promise<void>>();

  async function open(socket: CallerSocket, { named, fields }: SubscribeMessage): Promise<void> {
    const {
      channel,
      clientId = socket.visitor.clientId,
      filters,
      lastEventId,
      subscriptionId,
      ...more
    } = fields;
    if (subscriptionId !== undefined && !isId(subscriptionId))
      throw invalidFields([{ field: 'subscriptionId', message: 'must be a text of 1 to 128 characters' }]);
    const of = typeof channel === 'string' ? callerChannels.get(channel) : undefined;
    if (of === undefined || typeof channel !== 'string') throw invalidChannel(channel);
    await untilRead(socket, settings.streamQueueBytes);
    const principal = await admit(socket);
    let id = '';
    let subscribed: Subscription | undefined;
    const connect = (subscription: Subscription): SocketEvents | undefined => {
      if (!socket.isOpen || socket.isLeaving) return undefined;
      const twin = subscriptionId ?? twinOf(socket, subscription);
      if (twin !== undefined && socket.subscriptions.has(twin)) endSubscription(socket, twin);
      else if (socket.subscriptions.size >= mostSubscriptions) throw tooMany();
      subscribed = subscription;
      id = subscriptionId ?? socket.nextSubscriptionId();
      const ignored = [...Object.keys(more), ...(subscription.ignored ?? [])];
      return new SocketEvents({
        socket,
        of,
        facts: { subscriptionId: id, channel, clientId: subscription.clientId },
        answer: { ...named, ...(ignored.length > 0 ? { ignored: ignored.slice(0, 20).map(shorten) } : {}) },
        onEnd: () => endSubscription(socket, id),
      });
    };
    const opened = await subscribe(principal, { channel: of, clientId, filters, lastEventId }, connect);
    if (!opened || !subscribed) return;
    socket.subscriptions.set(id, {
      ...opened,
      listener: opened.listener,
      id,
      channel,
      subscription: subscribed,
    });
    opened.listener.start();
  }

  return {
    /** Answers `subscribed`, or why not. Never rejects. */
    async subscribe(socket: CallerSocket, message: SubscribeMessage): Promise<void> {
      const before = opening.get(socket);
      const opened = (async () => {
        await before;
        if (!socket.isOpen || socket.isLeaving) return;
        await open(socket, message).catch((error: unknown) => {
          const problem = problemOf(error);
          tellRefusal(socket, problem, message);
          const { traceId, named } = message;
          const context = { publicUrl: socket.visitor.publicUrl, traceId, relayed: undefined };
          const words = problem.fields.error ?? problem.message;
          socket.send({ type: 'error', ...named, ...toldFailure(problem, context, words) });
        });
      })();
      opening.set(socket, opened);
      await opened;
    },

    /** Behind the subscriptions that are being opened. Throws the problem to answer. */
    unsubscribe(socket: CallerSocket, message: SubscribeMessage): void {
      const end = readUnsubscribe(socket, message);
      void (opening.get(socket) ?? Promise.resolve()).then(end);
    },
  };
}

/** Programs of another relay look for how it begins. */
const invalidChannel = (named: unknown): ProblemError =>
  invalidFields([{ field: 'channel', message: `must be one of ${[...callerChannels.keys()].join(', ')}` }], {
    error: `Invalid channel: ${typeof named === 'string' ? named.slice(0, 100) : typeof named}`,
  });

const tooMany = (): ProblemError =>
  new ProblemError(
    'rate_limited',
    `This socket follows ${mostSubscriptions} channels already. Unsubscribe from one first.`,
  );

function endSubscription(socket: CallerSocket, id: string): void {
  socket.subscriptions.get(id)?.close();
  socket.subscriptions.delete(id);
}

/** The standing subscription that asks for no other events than this one. */
function twinOf({ subscriptions }: CallerSocket, asked: Subscription): string | undefined {
  const keyOf = ({ channel, clientId, filters }: Subscription) =>
    JSON.stringify([
      channel,
      clientId,
      Object.keys(filters)
        .toSorted((one, other) => one.localeCompare(other))
        .map((name) => [name, filters[name]]),
    ]);
  const key = keyOf(asked);
  for (const [id, { subscription }] of subscriptions) if (keyOf(subscription) === key) return id;
  return undefined;
}

/** What is missed by one subscription is bounded by the history; that of thirty would not be. */
async function untilRead(socket: CallerSocket, mostBytes: number): Promise<void> {
  while (socket.isOpen && socket.eventBytes >= mostBytes)
    await new Promise<void>((resolve) => socket.whenEventsRead(resolve));
}

/** Reads which subscriptions are to end: the one that is named, or all of the channel that is. Answers what ends them. */
function readUnsubscribe(socket: CallerSocket, { named, fields }: SubscribeMessage): () => void {
  const { subscriptionId, channel } = fields;
  const of = typeof channel === 'string' ? callerChannels.get(channel) : undefined;
  if (subscriptionId === undefined && of === undefined) throw invalidChannel(channel);
  return () => {
    for (const [id, { subscription }] of socket.subscriptions) {
      if (subscriptionId === undefined ? subscription.channel === of : id === subscriptionId)
        endSubscription(socket, id);
    }
    socket.send({
      type: 'unsubscribed',
      ...named,
      ...(typeof channel === 'string' ? { channel } : {}),
      ...(typeof subscriptionId === 'string' ? { subscriptionId: subscriptionId.slice(0, 100) } : {}),
    });
  };
}
