import type { Channel, ChannelData, ChannelEventNames } from './channels.ts';
import type { DataOf, Fields } from './fields.ts';

/** What the relay puts into every event of a channel, beside what the module sent. Its fields win. */
export const eventFacts = {
  clientId: 'text',
  channel: 'text',
  timestamp: 'number',
} as const satisfies Fields;

/** The events that the relay itself sends on the stream of any channel. No event of a module may have these names. */
export const streamEvents = {
  connected: {
    meaning:
      'The first event. `recovered`: nothing is missing since the `Last-Event-ID` that was sent. False: read the state anew, because events since then are lost, or no id was sent.',
    data: { clientId: 'text', channel: 'text', recovered: 'flag' },
  },
  gap: {
    meaning:
      'Events are missing here: this listener was too slow, or the relay lost them. `dropped` is absent where it cannot count them. Read the state anew.',
    data: { clientId: 'text', channel: 'text', dropped: 'number?' },
  },
  paused: {
    meaning:
      'The key or the world was paused: `of` says which, `setIn` where. The stream stays open and is silent until `resumed`.',
    data: { clientId: 'text', channel: 'text', of: 'text', setIn: 'text', since: 'text' },
  },
  resumed: {
    meaning:
      'No pause stands in the way any more. A `gap` follows: what happened meanwhile is not delivered, by no `Last-Event-ID` either.',
    data: { clientId: 'text', channel: 'text' },
  },
  'client-offline': {
    meaning: 'The world disconnected. The stream stays open. What the world sent just before may be lost.',
    data: eventFacts,
  },
  'client-online': { meaning: 'The world is connected again.', data: eventFacts },
} as const satisfies Record<string, { meaning: string; data: Fields }>;

export type StreamEventName = keyof typeof streamEvents;

/** The data of an event that the relay itself sends. */
export type StreamEventData<E extends StreamEventName> = DataOf<(typeof streamEvents)[E]['data']>;

/** The data of a module's event as listeners get it. */
export type ListenedData<C extends Channel> = ChannelData[C] &
  DataOf<typeof eventFacts> & { readonly channel: C };

/** Any event of a channel's stream. `event` tells which; a module may send names beside those that are known. */
export type ChannelEvent<C extends Channel> =
  | { [E in StreamEventName]: { event: E; id?: string; data: StreamEventData<E> } }[StreamEventName]
  | { event: ChannelEventNames[C] | (string & {}); id: string; data: ListenedData<C> };
