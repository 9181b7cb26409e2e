/* oxlint-disable max-lines -- Generated from packages/contract/src/frames by `pnpm docs:generate`; a test compares it. */

/** What a caller may send over its socket, beside calls. */
export interface CallerFrameTypes {
  /** The first frame, within 10 s of connecting; not where the key came as a header. */
  auth: {
    type: 'auth';
    /** The API key. */
    token: string;
  };
  /** Answered `pong`. */
  ping: {
    type: 'ping';
    /** A text of the caller’s, unlike that of any call of this socket that is under way. */
    requestId?: string;
  };
  /** Follows a channel of a world. Answered `subscribed`. One without `subscriptionId` takes the place of a standing one that asks for nothing else. */
  subscribe: {
    type: 'subscribe';
    /** A text of the caller’s, unlike that of any call of this socket that is under way. */
    requestId?: string;
    /** A channel, by its own name or by that of the list in `connected`. */
    channel: 'hooks' | 'combat' | 'combat-events' | 'actor' | 'actor-events' | 'scene' | 'scene-events' | 'chat' | 'chat-events' | 'rolls' | 'roll-events';
    /** The world; without it that of the socket’s address, else as over HTTP. */
    clientId?: string;
    /** The filters of the channel’s stream, by name. */
    filters?: object;
    /** A name of the caller’s: it takes the place of the subscription that has it. */
    subscriptionId?: string;
    /** The `id` of the last event that arrived: what came since is sent first. */
    lastEventId?: string;
  };
  /** Ends one subscription, or all of a channel. Answered `unsubscribed`. */
  unsubscribe: {
    type: 'unsubscribe';
    /** A text of the caller’s, unlike that of any call of this socket that is under way. */
    requestId?: string;
    subscriptionId?: string;
    /** A channel, by its own name or by that of the list in `connected`. */
    channel?: 'hooks' | 'combat' | 'combat-events' | 'actor' | 'actor-events' | 'scene' | 'scene-events' | 'chat' | 'chat-events' | 'rolls' | 'roll-events';
  };
  /** Nobody waits any more for the answer of that call, and its world is told. It is answered all the same, as a failure. A command with an idempotency key goes on. */
  cancel: {
    type: 'cancel';
    /** A text of the caller’s, unlike that of any call of this socket that is under way. */
    requestId: string;
  };
}

/** What the relay may send a caller over its socket, beside answers. */
export interface CallerRelayFrameTypes {
  /** The key was accepted: everything may follow. */
  connected: {
    type: 'connected';
    /** The world for messages that name none; null where several, or none, are online. */
    clientId: string | null;
    supportedTypes: string[];
    eventChannels: string[];
    version: string;
    scopes: Array<'clients:read' | 'session:read' | 'session:manage' | 'encounter:read' | 'encounter:manage' | 'sys5e:read' | 'sys5e:write' | 'roll:execute' | 'roll:read' | 'entity:read' | 'entity:write' | 'search:read' | 'structure:read' | 'structure:write' | 'chat:read' | 'chat:write' | 'effects:read' | 'effects:write' | 'macro:read' | 'macro:execute' | 'macro:write' | 'script:execute' | 'file:read' | 'sheet:read' | 'file:write' | 'scene:read' | 'scene:write' | 'canvas:read' | 'canvas:write' | 'canvas:control' | 'playlist:read' | 'playlist:control' | 'user:read' | 'user:write' | 'world:read' | 'events:subscribe'>;
    limits: {
      /** Of a message from the caller; larger ones are refused. */
      frameBytes: number;
      /** Of a file that a world answers here; larger ones are had over HTTP. */
      fileBytes: number;
      /** Of the key on one instance, by whatever way they came. */
      callsInFlight: number;
      subscriptions: number;
      /** Of events that wait to be read; above it they are left out, and `gap` tells. */
      eventQueueBytes: number;
    };
    /** The relay pings this often a socket that is quiet, by a ping of the protocol. */
    heartbeatMs: number;
  };
  /** Answers `ping`. */
  pong: {
    type: 'pong';
    /** A text of the caller’s, unlike that of any call of this socket that is under way. */
    requestId?: string;
  };
  /** Answers `subscribe`. The events follow. */
  subscribed: {
    type: 'subscribed';
    /** A text of the caller’s, unlike that of any call of this socket that is under way. */
    requestId?: string;
    subscriptionId: string;
    /** As the subscription named it. */
    channel: string;
    clientId: string;
    /** Of the last event: for `lastEventId`. */
    id: string;
    /** Nothing is missing since `lastEventId`. False: read the state anew, or none was sent. */
    recovered: boolean;
    /** Names in the message and its filters that stand for nothing. */
    ignored?: string[];
  };
  /** Answers `unsubscribe`. Comes unasked where the relay ends a subscription: what its key may do has changed, or its world was deleted. */
  unsubscribed: {
    type: 'unsubscribed';
    /** A text of the caller’s, unlike that of any call of this socket that is under way. */
    requestId?: string;
    channel?: string;
    subscriptionId?: string;
    clientId?: string;
    /** Of the last event: for `lastEventId`. */
    id?: string;
    /** The relay ended it: subscribe again after so long, and be told why, or go on. */
    retryAfterMs?: number;
  };
  /** The stream has come so far without an event that passed the filters. */
  position: {
    type: 'position';
    subscriptionId: string;
    /** As the subscription named it. */
    channel: string;
    clientId: string;
    /** Of the last event: for `lastEventId`. */
    id: string;
  };
  /** An event of the channel `hooks`. */
  'hook-event': {
    type: 'hook-event';
    subscriptionId: string;
    /** As the subscription named it. */
    channel: string;
    clientId: string;
    /** Of the last event: for `lastEventId`. */
    id: string;
    /** The name of the event, as the stream of the channel has it. */
    event: string;
    /** The data of the event, as the stream of the channel has it. */
    data: Record<string, unknown>;
  };
  /** An event of the channel `combat`. */
  'combat-event': {
    type: 'combat-event';
    subscriptionId: string;
    /** As the subscription named it. */
    channel: string;
    clientId: string;
    /** Of the last event: for `lastEventId`. */
    id: string;
    /** The name of the event, as the stream of the channel has it. */
    event: string;
    /** The data of the event, as the stream of the channel has it. */
    data: Record<string, unknown>;
  };
  /** An event of the channel `actor`. */
  'actor-event': {
    type: 'actor-event';
    subscriptionId: string;
    /** As the subscription named it. */
    channel: string;
    clientId: string;
    /** Of the last event: for `lastEventId`. */
    id: string;
    /** The name of the event, as the stream of the channel has it. */
    event: string;
    /** The data of the event, as the stream of the channel has it. */
    data: Record<string, unknown>;
  };
  /** An event of the channel `scene`. */
  'scene-event': {
    type: 'scene-event';
    subscriptionId: string;
    /** As the subscription named it. */
    channel: string;
    clientId: string;
    /** Of the last event: for `lastEventId`. */
    id: string;
    /** The name of the event, as the stream of the channel has it. */
    event: string;
    /** The data of the event, as the stream of the channel has it. */
    data: Record<string, unknown>;
  };
  /** An event of the channel `chat`. */
  'chat-event': {
    type: 'chat-event';
    subscriptionId: string;
    /** As the subscription named it. */
    channel: string;
    clientId: string;
    /** Of the last event: for `lastEventId`. */
    id: string;
    /** The name of the event, as the stream of the channel has it. */
    event: string;
    /** The data of the event, as the stream of the channel has it. */
    data: Record<string, unknown>;
  };
  /** An event of the channel `rolls`. */
  'roll-event': {
    type: 'roll-event';
    subscriptionId: string;
    /** As the subscription named it. */
    channel: string;
    clientId: string;
    /** Of the last event: for `lastEventId`. */
    id: string;
    /** The name of the event, as the stream of the channel has it. */
    event: string;
    /** The data of the event, as the stream of the channel has it. */
    data: Record<string, unknown>;
  };
  /** Events are missing here: this listener was too slow, or the relay lost them. `dropped` is absent where it cannot count them. Read the state anew. */
  gap: {
    type: 'gap';
    subscriptionId: string;
    /** As the subscription named it. */
    channel: string;
    clientId: string;
    /** Of the last event: for `lastEventId`. */
    id: string;
    /** The name of the event, as the stream of the channel has it. */
    event: string;
    /** The data of the event, as the stream of the channel has it. */
    data: Record<string, unknown>;
  };
  /** The key or the world was paused: `of` says which, `setIn` where. The stream stays open and is silent until `resumed`. */
  paused: {
    type: 'paused';
    subscriptionId: string;
    /** As the subscription named it. */
    channel: string;
    clientId: string;
    /** Of the last event: for `lastEventId`. */
    id: string;
    /** The name of the event, as the stream of the channel has it. */
    event: string;
    /** The data of the event, as the stream of the channel has it. */
    data: Record<string, unknown>;
  };
  /** No pause stands in the way any more. A `gap` follows: what happened meanwhile is not delivered, by no `Last-Event-ID` either. */
  resumed: {
    type: 'resumed';
    subscriptionId: string;
    /** As the subscription named it. */
    channel: string;
    clientId: string;
    /** Of the last event: for `lastEventId`. */
    id: string;
    /** The name of the event, as the stream of the channel has it. */
    event: string;
    /** The data of the event, as the stream of the channel has it. */
    data: Record<string, unknown>;
  };
  /** The world disconnected. The stream stays open. What the world sent just before may be lost. */
  'client-offline': {
    type: 'client-offline';
    subscriptionId: string;
    /** As the subscription named it. */
    channel: string;
    clientId: string;
    /** Of the last event: for `lastEventId`. */
    id: string;
    /** The name of the event, as the stream of the channel has it. */
    event: string;
    /** The data of the event, as the stream of the channel has it. */
    data: Record<string, unknown>;
  };
  /** The world is connected again. */
  'client-online': {
    type: 'client-online';
    subscriptionId: string;
    /** As the subscription named it. */
    channel: string;
    clientId: string;
    /** Of the last event: for `lastEventId`. */
    id: string;
    /** The name of the event, as the stream of the channel has it. */
    event: string;
    /** The data of the event, as the stream of the channel has it. */
    data: Record<string, unknown>;
  };
  /** This instance is leaving: connect again after so long. Calls under way are still answered, no new ones are taken, and the socket is closed with 1012. */
  'going-away': {
    type: 'going-away';
    retryAfterMs: number;
  };
  /** A message that could not be used. */
  error: {
    type: 'error';
    /** A text of the caller’s, unlike that of any call of this socket that is under way. */
    requestId?: string;
    /** What happened and what to do, for people. */
    error: string;
    /** The problem document that HTTP would answer, with `code`, `outcome`, `retryable`. */
    problem?: unknown;
    /** How long to wait before the message is repeated. */
    retryAfterMs?: number;
  };
}
