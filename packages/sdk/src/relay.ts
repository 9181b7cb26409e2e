import type {
  BodyBytes,
  Channel,
  ClientList,
  OperationGroup,
  operationGroups,
  ParametersOf,
  ResultBytes,
  ResultOf,
} from '@tabletop-relay/contract';
import type { Sessions } from './sessions/sessions.ts';
import type { EventStreams, Follow } from './events/event-streams.ts';
import type { StreamTicket } from './events/stream-ticket.ts';

export interface RelayOptions<G extends Groups = PublishedGroups> {
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
   * How often to repeat what failed and may safely be repeated: calls that never reached the world, and queries.
   * `Retry-After` is kept to, unless it is above 30 s: then the call fails at once. 0 by default.
   */
  retries?: number;
  /** Operations that a relay offers beyond the published ones. */
  groups?: G;
}

export interface CallOptions {
  /** The world to act on, instead of the one given to `createRelay`. */
  clientId?: string;
  /** Tabletop user id or name to act as; without it the call has GM-level access. */
  userId?: string;
  /** Ends the call, and tells the world that nobody waits for its answer. The promise rejects with the signal's reason. */
  signal?: AbortSignal;
  timeoutMs?: number;
}

/** A client of one relay: a method for each operation, `relay.<group>.<operation>(parameters, options)`. */
export type Relay<G extends Groups = PublishedGroups> = { [N in keyof G]: GroupMethods<G[N]> } & {
  /** Lists the worlds that the key may see, online or not. */
  clients: (options?: Pick<CallOptions, 'signal' | 'timeoutMs'>) => Promise<ClientList>;
  /** Worlds in a browser of the relay. */
  sessions: Sessions;
  /** Follows what happens in a world: `relay.events.<channel>({ clientId })`. */
  events: EventStreams;
  /** Makes an address that follows a channel without a key, once and within a minute: `new EventSource(ticket.url)`. */
  streamTicket: <C extends Channel>(
    channel: C,
    follow: Follow<C>,
    options?: Pick<CallOptions, 'signal' | 'timeoutMs'>,
  ) => Promise<StreamTicket>;
};

export type PublishedGroups = typeof operationGroups;
export type Groups = Record<string, OperationGroup>;

type GroupMethods<G extends OperationGroup> = {
  [N in keyof G['definitions'] & string as CamelCase<N>]: Method<N, G['definitions'][N]>;
};

/** A file that a world answered. */
export interface RelayFile {
  bytes: Uint8Array<ArrayBuffer>;
  /** The content type, for example `image/png`; what browsers could run comes as `application/octet-stream`. */
  type: string;
  /** As the world named it; undefined where it gave no name. */
  name: string | undefined;
}

type Method<N extends string, D> =
  Partial<ParametersOf<D>> extends ParametersOf<D>
    ? (parameters?: Given<D>, options?: CallOptions) => Promise<Answer<N, D>>
    : (parameters: Given<D>, options?: CallOptions) => Promise<Answer<N, D>>;

/** The parameter that may be a raw body is given as bytes, or as the text that the module reads. */
type Given<D> = D extends { bodyBytes?: infer B extends BodyBytes }
  ? {
      [K in keyof ParametersOf<D>]:
        ParametersOf<D>[K] | (K extends B['parameter'] ? Uint8Array | Blob : never);
    }
  : ParametersOf<D>;

type Answer<N extends string, D> = [FileOf<D>] extends [never]
  ? { type: `${N}-result`; requestId: string } & ResultOf<D>
  : RelayFile;

type FileOf<D> = D extends { resultBytes?: infer F extends ResultBytes } ? F : never;

type CamelCase<S extends string> = S extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;
