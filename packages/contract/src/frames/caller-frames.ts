import { Type } from 'typebox';
import type { Static, TSchema } from 'typebox';
import { channelNames, channels } from '../events/channels.ts';
import type { Channel } from '../events/channels.ts';
import { streamEvents } from '../events/stream-events.ts';
import { scopeNames } from '../scopes.ts';

/**
 * The frames on the socket of a caller, `/ws/api`: JSON text. They are a superset of the words that programs of another relay speak.
 * Calls, of type `<operation>`, and their answers, of type `<operation>-result`, go beside them. Both sides ignore fields that they do
 * not know, but for those of a call, which are its parameters.
 */

const frame = <N extends string, P extends Record<string, TSchema>>(
  type: N,
  fields: P,
  description: string,
) => Type.Object({ type: Type.Literal(type), ...fields }, { description });

/** So long may the id be that a caller gives a message. */
export const maxRequestIdLength = 128;

const requestId = Type.String({
  minLength: 1,
  maxLength: maxRequestIdLength,
  description: 'A text of the caller’s, unlike that of any call of this socket that is under way.',
});

const optionalId = Type.Optional(requestId);

/** The channels by the names that are taken on the socket: the relay's own, and those that modules and other relays have. */
export const callerChannels: ReadonlyMap<string, Channel> = new Map(
  channelNames.flatMap((name) => [
    [name, name],
    [channels[name].wire, name],
  ]),
);

/** The names that `connected` lists, as programs of another relay look for them. */
export const callerChannelNames = channelNames.map((name) => channels[name].wire);

/** The types of the messages that carry a channel's events. */
export const callerEventTypes = {
  hooks: 'hook-event',
  combat: 'combat-event',
  actor: 'actor-event',
  scene: 'scene-event',
  chat: 'chat-event',
  rolls: 'roll-event',
} as const satisfies Record<Channel, string>;

const channel = Type.Enum([...callerChannels.keys()], {
  description: 'A channel, by its own name or by that of the list in `connected`.',
});
const clientId = Type.Optional(
  Type.String({ description: 'The world; without it that of the socket’s address, else as over HTTP.' }),
);

/** What a caller may send, by `type`. */
export const callerFrames = {
  auth: frame(
    'auth',
    { token: Type.String({ description: 'The API key.' }) },
    'The first frame, within 10 s of connecting; not where the key came as a header.',
  ),
  ping: frame('ping', { requestId: optionalId }, 'Answered `pong`.'),
  subscribe: frame(
    'subscribe',
    {
      requestId: optionalId,
      channel,
      clientId,
      filters: Type.Optional(
        Type.Object({}, { description: 'The filters of the channel’s stream, by name.' }),
      ),
      subscriptionId: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: maxRequestIdLength,
          description: 'A name of the caller’s: it takes the place of the subscription that has it.',
        }),
      ),
      lastEventId: Type.Optional(
        Type.String({
          description: 'The `id` of the last event that arrived: what came since is sent first.',
        }),
      ),
    },
    'Follows a channel of a world. Answered `subscribed`. One without `subscriptionId` takes the place of a standing one that asks for nothing else.',
  ),
  unsubscribe: frame(
    'unsubscribe',
    {
      requestId: optionalId,
      subscriptionId: Type.Optional(Type.String()),
      channel: Type.Optional(channel),
    },
    'Ends one subscription, or all of a channel. Answered `unsubscribed`.',
  ),
  cancel: frame(
    'cancel',
    { requestId },
    'Nobody waits any more for the answer of that call, and its world is told. It is answered all the same, as a failure. A command with an idempotency key goes on.',
  ),
} as const;

const ofSubscription = {
  subscriptionId: Type.String(),
  channel: Type.String({ description: 'As the subscription named it.' }),
  clientId: Type.String(),
  id: Type.String({ description: 'Of the last event: for `lastEventId`.' }),
};

/** What stands in every message that carries an event. */
const eventFields = {
  ...ofSubscription,
  event: Type.String({ description: 'The name of the event, as the stream of the channel has it.' }),
  data: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The data of the event, as the stream of the channel has it.',
  }),
};

const problem = Type.Optional(
  Type.Unknown({
    description: 'The problem document that HTTP would answer, with `code`, `outcome`, `retryable`.',
  }),
);
const error = Type.String({ description: 'What happened and what to do, for people.' });

/** What is said of a failure. */
export const callerFailure = {
  error,
  problem,
  retryAfterMs: Type.Optional(
    Type.Integer({ description: 'How long to wait before the message is repeated.' }),
  ),
};

const limits = Type.Object({
  frameBytes: Type.Integer({ description: 'Of a message from the caller; larger ones are refused.' }),
  fileBytes: Type.Integer({ description: 'Of a file that a world answers here; larger ones are had over HTTP.' }),
  callsInFlight: Type.Integer({ description: 'Of the key on one instance, by whatever way they came.' }),
  subscriptions: Type.Integer(),
  eventQueueBytes: Type.Integer({ description: 'Of events that wait to be read; above it they are left out, and `gap` tells.' }),
}); // prettier-ignore

/** What the relay may send, by `type`. */
export const callerRelayFrames = {
  connected: frame(
    'connected',
    {
      clientId: Type.Union([Type.String(), Type.Null()], {
        description: 'The world for messages that name none; null where several, or none, are online.',
      }),
      supportedTypes: Type.Array(Type.String()),
      eventChannels: Type.Array(Type.String()),
      version: Type.String(),
      scopes: Type.Array(Type.Enum(scopeNames)),
      limits,
      heartbeatMs: Type.Integer({ description: 'The relay pings this often a socket that is quiet, by a ping of the protocol.' }),
    },
    'The key was accepted: everything may follow.',
  ),
  pong: frame('pong', { requestId: optionalId }, 'Answers `ping`.'),
  subscribed: frame(
    'subscribed',
    {
      requestId: optionalId,
      ...ofSubscription,
      recovered: Type.Boolean({
        description: 'Nothing is missing since `lastEventId`. False: read the state anew, or none was sent.',
      }),
      ignored: Type.Optional(
        Type.Array(Type.String(), { description: 'Names in the message and its filters that stand for nothing.' }),
      ),
    },
    'Answers `subscribe`. The events follow.',
  ),
  unsubscribed: frame(
    'unsubscribed',
    {
      requestId: optionalId,
      channel: Type.Optional(Type.String()),
      subscriptionId: Type.Optional(Type.String()),
      clientId: Type.Optional(Type.String()),
      id: Type.Optional(ofSubscription.id),
      retryAfterMs: Type.Optional(
        Type.Integer({ description: 'The relay ended it: subscribe again after so long, and be told why, or go on.' }),
      ),
    },
    'Answers `unsubscribe`. Comes unasked where the relay ends a subscription: what its key may do has changed, or its world was deleted.',
  ),
  position: frame('position', ofSubscription, 'The stream has come so far without an event that passed the filters.'),
  ...(Object.fromEntries(
    channelNames.map((name) => [
      callerEventTypes[name],
      frame(callerEventTypes[name], eventFields, `An event of the channel \`${name}\`.`),
    ]),
  ) as { [C in Channel as (typeof callerEventTypes)[C]]: ReturnType<typeof frame<(typeof callerEventTypes)[C], typeof eventFields>> }),
  ...(Object.fromEntries(
    Object.entries(streamEvents)
      .filter(([name]) => name !== 'connected')
      .map(([name, { meaning }]) => [name, frame(name, eventFields, meaning)]),
  ) as { [E in Exclude<keyof typeof streamEvents, 'connected'>]: ReturnType<typeof frame<E, typeof eventFields>> }),
  'going-away': frame(
    'going-away',
    { retryAfterMs: Type.Integer() },
    'This instance is leaving: connect again after so long. Calls under way are still answered, no new ones are taken, and the socket is closed with 1012.',
  ),
  error: frame('error', { requestId: optionalId, ...callerFailure }, 'A message that could not be used.'),
} as const; // prettier-ignore

export type CallerRelayFrame = Static<(typeof callerRelayFrames)[keyof typeof callerRelayFrames]>;
