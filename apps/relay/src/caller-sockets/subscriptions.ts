import { callerChannels, shorten } from '@tabletop-relay/contract';
import type { Channel } from '@tabletop-relay/contract';
import { invalidFields, ProblemError } from '../problem.ts';
import type { Subscribe } from '../streams/subscribe.ts';
import type { Subscription } from '../streams/subscription.ts';
import type { Admit } from './admission.ts';
import { isId } from './caller-socket.ts';
import type { CallerSocket } from './caller-socket.ts';
import { SocketEvents } from './socket-events.ts';

export interface SubscriptionsDeps {
  admit: Admit;
  subscribe: Subscribe;
  settings: { streamQueueBytes: number };
}

/** So many channels a socket may follow. */
export const mostSubscriptions = 32;
/** So many may wait to be opened, and as many to be left before they stand. */
const mostWaiting = mostSubscriptions;

export interface SubscribeMessage {
  traceId: string;
  /** `requestId`, where the message has one. */
  named: { requestId?: string };
  fields: Readonly<Record<string, unknown>>;
}

/** What is done of a socket one after the other. */
interface Line {
  last: Promise<unknown>;
  length: number;
}

function createLines() {
  const lines = new WeakMap<CallerSocket, Line>();
  return {
    isBusy: (socket: CallerSocket): boolean => (lines.get(socket)?.length ?? 0) > 0,

    /** Does it when all that came before was done. Rejects as it does, and at once where too much waits. */
    async inOrder(socket: CallerSocket, most: number, work: () => unknown): Promise<void> {
      const line: Line = lines.get(socket) ?? { last: Promise.resolve(), length: 0 };
      if (line.length >= most) throw tooManyWait();
      lines.set(socket, line);
      line.length++;
      const done = line.last.then(work).finally(() => line.length--);
      line.last = done.catch(() => {});
      await done;
    },
  };
}

/** Opens subscriptions of a socket, one after the other: what was missed by one is read before the next asks for more. */
export function createSubscriptions({ admit, subscribe, settings }: SubscriptionsDeps) {
  const { inOrder, isBusy } = createLines();

  async function open(socket: CallerSocket, { named, fields }: SubscribeMessage, of: Channel): Promise<void> {
    const { channel, clientId, filters, lastEventId, subscriptionId, ...more } = fields;
    await untilRead(socket, settings.streamQueueBytes);
    const principal = await admit(socket);
    let events: SocketEvents | undefined;
    let found: { id: string; subscription: Subscription } | undefined;
    const connect = (subscription: Subscription): SocketEvents | undefined => {
      if (!socket.isOpen || socket.isLeaving) return undefined;
      const given = subscriptionId as string | undefined;
      const twin = given ?? twinOf(socket, subscription);
      if (twin !== undefined && socket.subscriptions.has(twin)) socket.endSubscription(twin);
      else if (socket.subscriptions.size >= mostSubscriptions) throw tooMany();
      const id = given ?? socket.nextSubscriptionId();
      found = { id, subscription };
      const ignored = [...Object.keys(more), ...(subscription.ignored ?? [])];
      return (events = new SocketEvents({
        socket,
        of,
        facts: { subscriptionId: id, channel: channel as string, clientId: subscription.clientId },
        answer: { ...named, ...(ignored.length > 0 ? { ignored: ignored.slice(0, 20).map(shorten) } : {}) },
        onEnd: () => socket.endSubscription(id),
      }));
    };
    const asked = {
      channel: of,
      clientId: clientId ?? socket.visitor.clientId,
      filters,
      lastEventId,
    };
    const opened = await subscribe(principal, asked, connect);
    if (!opened || !found) return;
    // Its key, or its socket, may have ended in between.
    if (events?.isCut) return opened.close();
    socket.subscriptions.set(found.id, { ...opened, subscription: found.subscription });
    opened.listener.start();
  }

  return {
    /** Answers `subscribed`. Rejects with the problem to answer. */
    async subscribe(socket: CallerSocket, message: SubscribeMessage): Promise<void> {
      const { subscriptionId, channel } = message.fields;
      if (subscriptionId !== undefined && !isId(subscriptionId)) throw invalidId();
      const of = channelNamed(channel);
      if (of === undefined) throw invalidChannel(channel);
      await inOrder(socket, mostWaiting, async () => {
        if (socket.isOpen && !socket.isLeaving) await open(socket, message, of);
      });
    },

    /**
     * Ends the subscription that is named, or all of the channel that is, and those that were asked for before and do not stand yet.
     * Answers how it is called. Throws the problem to answer.
     */
    unsubscribe(socket: CallerSocket, { named, fields }: SubscribeMessage): void {
      const { subscriptionId, channel } = fields;
      if (subscriptionId !== undefined && !isId(subscriptionId)) throw invalidId();
      const of = channelNamed(channel);
      if (subscriptionId === undefined ? of === undefined : channel !== undefined && of === undefined)
        throw invalidChannel(channel);
      const end = () => {
        for (const [id, { subscription }] of socket.subscriptions)
          if (subscriptionId === undefined ? subscription.channel === of : id === subscriptionId)
            socket.endSubscription(id);
      };
      // Those that stand bring nothing more, however long the others take.
      end();
      const answer = () => {
        end();
        socket.send({
          type: 'unsubscribed',
          ...named,
          ...(typeof channel === 'string' ? { channel } : {}),
          ...(subscriptionId === undefined ? {} : { subscriptionId }),
        });
      };
      if (!isBusy(socket)) return answer();
      inOrder(socket, 2 * mostWaiting, answer).catch(() => {
        // Who reads what it is told has never so many under way, and the subscription would stay.
        socket.close('tooMany', 'Too many subscriptions are being left');
      });
    },
  };
}

const channelNamed = (name: unknown): Channel | undefined =>
  typeof name === 'string' ? callerChannels.get(name) : undefined;

const invalidId = (): ProblemError =>
  invalidFields([{ field: 'subscriptionId', message: 'must be a text of 1 to 128 characters' }]);

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

const tooManyWait = (): ProblemError =>
  new ProblemError('rate_limited', 'Too many subscriptions of this socket wait. Read what has come first.');

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
