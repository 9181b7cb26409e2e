import type {
  Channel,
  ChannelEventNames,
  channels,
  ListenedData,
  StreamEventData,
  StreamEventName,
} from '@tabletop-relay/contract';

/** An event that the relay itself sends: the stream is open, something is missing, the world went or came. */
export type RelayEvent = {
  [E in StreamEventName]: { event: E; id: string | undefined; data: StreamEventData<E> };
}[StreamEventName];

/** An event of the world. `id` is what a later stream continues after. */
export interface WorldEvent<C extends Channel> {
  event: WorldEventName<C>;
  id: string | undefined;
  data: ListenedData<C>;
}

/** Any event of a channel's stream; `event` tells which. */
export type StreamEvent<C extends Channel> = RelayEvent | WorldEvent<C>;

/** The names that are known, and any other that a module may send: all that begins with the channel's prefix. */
type WorldEventName<C extends Channel> = (typeof channels)[C]['named'] extends {
  prefix: infer P extends string;
  field: string;
}
  ? `${P}${string}`
  : ChannelEventNames[C];
