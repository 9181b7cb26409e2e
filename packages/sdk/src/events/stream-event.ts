import type { Channel, ChannelTypes, EventFacts, StreamEventTypes } from '@tabletop-relay/contract/types';

/** An event that the relay itself sends: the stream is open, something is missing, the world went or came. */
export type RelayEvent = {
  [E in keyof StreamEventTypes]: { event: E; id: string | undefined; data: StreamEventTypes[E] };
}[keyof StreamEventTypes];

/** An event of the world. `id` is what a later stream continues after. */
export interface WorldEvent<C extends Channel> {
  /** Any name that begins with the channel's prefix, where its events have names of their own. */
  event: ChannelTypes[C]['event'];
  id: string | undefined;
  data: ChannelTypes[C]['data'] & EventFacts & { readonly channel: C };
}

/** Any event of a channel's stream; `event` tells which. */
export type StreamEvent<C extends Channel> = RelayEvent | WorldEvent<C>;
