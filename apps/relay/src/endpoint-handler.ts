import type {
  AnswerOf,
  Download,
  Endpoint,
  Endpoints,
  EventStream,
  EventDataOf,
  InputOf,
} from '@tabletop-relay/contract';

/** The sender of a request, for records and limits. */
export interface Sender {
  /** The address of the nearest hop that is no trusted proxy. */
  ipAddress: string;
  userAgent: string;
}

/** The person who is signed in. */
export interface SessionPrincipal {
  sessionId: string;
  accountId: string;
  email: string;
  isAdministrator: boolean;
  /** An administrator without a second factor, who may only set one up. */
  lacksSecondFactor: boolean;
  disabled: boolean;
}

export interface Cookie {
  name: string;
  value: string;
  /** 0 deletes it. */
  maxAgeS: number;
  sameSite: 'Lax' | 'Strict';
}

/** The cookies of the browser that calls. */
export interface Cookies {
  /** Empty where the browser has none by that name. */
  read(name: string): string;
  /** Goes with the answer. */
  write(cookie: Cookie): void;
}

/** The caller as a handler sees it, with what the handler may do beside answering. */
export interface Caller {
  sender: Sender;
  /** The address that links name, without a slash at the end: PUBLIC_URL, or the request's own on loopback. */
  publicUrl: string;
  /** The origin of the page that calls; empty for a program. */
  origin: string;
  cookies: Cookies;
  /** The scopes of the body as the caller named them, where it used names of another relay; else none. */
  askedScopes: readonly string[];
  /** Runs `work` if the answer does not reach the caller whole. */
  onUndelivered(work: () => void): void;
}

/** `P` is the holder of an API key; only the room that knows keys names it. */
type CallerOf<E extends Endpoint, P> = Caller &
  (E['auth'] extends 'session' | 'administrator' ? { session: SessionPrincipal } : unknown) &
  (E['auth'] extends 'apiKey' ? { principal: P } : unknown);

/** The open answer of an endpoint that streams events. */
export interface Stream<S extends EventStream = EventStream> {
  /** Never throws: a stream that cannot be written to closes. */
  send<N extends keyof S['events'] & string>(event: N, data: EventDataOf<S, N>): void;
  close(): void;
  /** Runs `work` when the stream ends, whoever ended it. */
  onClose(work: () => void): void;
}

/**
 * Answers one endpoint. The input is validated and the caller let in before; the handler throws a `ProblemError` to refuse.
 * A stream stays open after the handler has returned; a download is written piece by piece.
 */
export type Handler<E extends Endpoint, P = never> = E['answer'] extends EventStream
  ? (input: InputOf<E>, caller: CallerOf<E, P>, stream: Stream<E['answer']>) => void | Promise<void>
  : (
      input: InputOf<E>,
      caller: CallerOf<E, P>,
    ) => E['answer'] extends Download ? Promise<AsyncIterable<string>> : AnswerOf<E> | Promise<AnswerOf<E>>;

/** A handler for each endpoint of a record, by its name: the compiler names those that are missing. */
export type HandlersOf<R extends Endpoints, P = never> = { [N in keyof R]: Handler<R[N], P> };

/** An endpoint with what answers it, for the server. */
export interface ServedEndpoint {
  name: string;
  endpoint: Endpoint;
  handle(
    input: InputOf<Endpoint>,
    caller: Caller & { session?: SessionPrincipal; principal?: unknown },
    stream?: Stream,
  ): unknown;
}

/** Puts endpoints and their handlers together. */
export function serve<R extends Endpoints, P = never>(
  endpoints: R,
  handlers: HandlersOf<R, P>,
): ServedEndpoint[] {
  return Object.entries(endpoints).map(([name, endpoint]) => ({
    name,
    endpoint,
    // The server hands over what the endpoint declares, and the types say so of each handler on its own.
    handle: handlers[name] as unknown as ServedEndpoint['handle'],
  }));
}
