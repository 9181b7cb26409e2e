import type { ConnectOptions, RelaySocket } from './socket/connect.ts';
import type { Channel, ClientList } from '@tabletop-relay/contract/types';
import type { CallOptions } from './call.ts';
import type { OperationMethods } from './generated/operation-methods.ts';
import type { OperationTable } from './operation-table.ts';
import type { Sessions } from './sessions/sessions.ts';
import type { EventStreams, Follow } from './events/event-streams.ts';
import type { StreamTicket } from './events/stream-ticket.ts';

export interface RelayOptions {
  /** The relay's address, for example `https://relay.example`. */
  url: string;
  apiKey: string;
  /** The world to act on where a call names none; without it the relay chooses, if there is just one. */
  clientId?: string;
  /** In place of the platform's `fetch`. */
  fetch?: typeof globalThis.fetch;
  /** How long one attempt may take; by default the operation's own time and 5 s for the way. */
  timeoutMs?: number;
  /**
   * How often to repeat what failed and may safely be repeated: calls that never reached the world, queries, and commands, which
   * have an idempotency key then. A relay that does not know such keys is asked first, and its commands are not repeated.
   * `Retry-After` is kept to, unless it is above 30 s: then the call fails at once. 0 by default.
   */
  retries?: number;
  /** Operations that a relay offers beyond the published ones. The client has their methods too: name their types by `as`. */
  operations?: OperationTable;
}

/** A client of one relay: a method for each operation, `relay.<group>.<operation>(parameters, options)`. */
export interface Relay extends OperationMethods {
  /** Lists the worlds that the key may see, online or not. */
  clients: (options?: Pick<CallOptions, 'signal' | 'timeoutMs'>) => Promise<ClientList>;
  /** Worlds in a browser of the relay. */
  sessions: Sessions;
  /** Follows what happens in a world: `relay.events.<channel>({ clientId })`. */
  events: EventStreams;
  /** Opens one connection for calls and events, which comes back by itself. */
  connect: (options?: ConnectOptions) => Promise<RelaySocket>;
  /** Makes an address that follows a channel without a key, once and within a minute: `new EventSource(ticket.url)`. */
  streamTicket: <C extends Channel>(
    channel: C,
    follow: Follow<C>,
    options?: Pick<CallOptions, 'signal' | 'timeoutMs'>,
  ) => Promise<StreamTicket>;
}
