import type { Static, TObject, TProperties, TSchema } from 'typebox';
import type { ErrorCode } from '../errors/errors.ts';
import type { DataOf, Fields } from '../events/fields.ts';
import type { Scope } from '../scopes.ts';
import type { LimitName } from './limits.ts';

/**
 * One endpoint of the account API as it is written down: everything that is known of it, and nothing that follows
 * from it. It is plain data; the relay gives it a handler of the same name.
 */
export type Endpoint = EndpointFacts & Input & Access;

interface EndpointFacts {
  /** `:name` stands for one part of the path; the input has a text of that name. */
  path: `/${string}`;
  /** One line in the imperative, without a full stop. */
  summary: string;
  description?: string;
  /**
   * `any` answers pages of every origin, without credentials: modules and integrations run elsewhere. `same` refuses
   * browsers that come from another site. `link` is a page that links of every site may lead to, and no script or frame.
   */
  origin: 'any' | 'same' | 'link';
  /** Clients of OAuth’s standards call it, and its failures are theirs (`oauthErrors`): the SDK has no method for it. */
  speaks?: 'oauth';
  /** The body is a form (`application/x-www-form-urlencoded`), each of its fields given once. */
  form?: true;
  /** Where it is not 200. */
  status?: 201;
  /** The limit on calls, by its name in the catalogue of limits. */
  limit?: LimitName;
  /** Only for parts of the path that are not any text. */
  params?: TProperties;
  /** Headers that it reads, in lower case. */
  headers?: TObject;
  answer: TSchema | Download | EventStream | Redirect;
  /**
   * The answer holds a secret beside what somebody else may have chosen, so it is never compressed: the length of the two
   * packed together would tell of the secret.
   */
  secretAnswer?: true;
  /** Problems beside those that follow from the other fields; `problemsOf` has them all. */
  problems?: readonly ErrorCode[];
  /** A HEAD request would run the handler and throw its answer away, which must not happen here. */
  noHead?: true;
}

/** A GET takes its fields from the query, every other method from the body, but for a DELETE that names a query. */
type Input =
  | { method: 'GET'; query?: TObject; body?: never }
  | { method: 'DELETE'; query: TObject; body?: never }
  | { method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'; body?: TObject; query?: never };

/**
 * The caller must show nothing, a session (of an administrator), or an API key that holds a scope.
 * `openToDisabled`: a disabled account may still use it. `openWithoutFactor`: so may an administrator without a second
 * factor, who may do nothing else.
 */
type Access =
  | { auth: 'none' | 'administrator'; openToDisabled?: never; openWithoutFactor?: never; scope?: never }
  | { auth: 'session'; openToDisabled?: true; openWithoutFactor?: true; scope?: never }
  | { auth: 'apiKey'; openToDisabled?: never; openWithoutFactor?: never; scope: Scope };

/** A JSON answer that browsers store as a file: it may be long, so the handler writes it in pieces. */
export interface Download {
  /** The file's name. */
  download: string;
  description: string;
  schema: TSchema;
}

/** The browser is led to another page of ours. */
export interface Redirect {
  /** To which page. */
  leadsTo: string;
}

/** Server-sent events by name; the answer stays open. */
export interface EventStream {
  events: Readonly<Record<string, StreamedEvent>>;
  description: string;
}

interface StreamedEvent {
  /** When it is sent, and what a listener should do. */
  meaning: string;
  data: Fields;
}

export type Endpoints = Readonly<Record<string, Endpoint>>;

/** The endpoints of one subject, with its place in the reference and its tag in the OpenAPI document. */
export interface EndpointGroup<E extends Endpoints = Endpoints> {
  title: string;
  endpoints: E;
}

/** The texts in a path: those of `/auth/sessions/:id` are `{ id: string }`. */
type PathTexts<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? { [K in Name]: string } & PathTexts<Rest>
  : P extends `${string}:${infer Name}`
    ? { [K in Name]: string }
    : unknown;

type StaticOf<T> = T extends TSchema ? Static<T> : unknown;

/** The validated input of an endpoint's handler. */
export interface InputOf<E extends Endpoint> {
  params: PathTexts<E['path']>;
  query: StaticOf<E['query']>;
  body: StaticOf<E['body']>;
  headers: StaticOf<E['headers']>;
}

/** The fields that a client gives: the texts of the path and those of query or body, side by side. */
export type FieldsOf<E extends Endpoint> = Flat<
  InputOf<E>['params'] & InputOf<E>['query'] & InputOf<E>['body']
>;

type Flat<T> = { [K in keyof T]: T[K] };

/** The answer of an endpoint, of a redirect its address; an event stream has none that a client could await. */
export type AnswerOf<E extends Endpoint> = E['answer'] extends EventStream
  ? never
  : E['answer'] extends Redirect
    ? string
    : E['answer'] extends Download
      ? StaticOf<E['answer']['schema']>
      : StaticOf<E['answer']>;

/** The data of one event of a stream. */
export type EventDataOf<S extends EventStream, N extends keyof S['events']> = DataOf<S['events'][N]['data']>;

/**
 * Method and path in one text, with `?` at the end where another method than GET takes its fields from the query. It is
 * all that a client needs at run time, so browsers load no schemas.
 */
export type AddressOf<E extends Endpoint> =
  `${E['method']} ${E['path']}${E extends { method: 'DELETE'; query: TObject } ? '?' : ''}`;

export const addressOf = ({ method, path, query }: Endpoint): string =>
  `${method} ${path}${method !== 'GET' && query ? '?' : ''}`;

export const isDownload = (answer: Endpoint['answer']): answer is Download => 'download' in answer;

export const isRedirect = (answer: Endpoint['answer']): answer is Redirect => 'leadsTo' in answer;

export const isEventStream = (answer: Endpoint['answer']): answer is EventStream => 'events' in answer;

/** The path of an address that has no texts in it: for links, and for streams, which no client method opens. */
export function pathOf<P extends string>(address: `${string} ${P}`): P {
  return address.slice(address.indexOf(' ') + 1) as P;
}

/** Every failure that an endpoint may answer as a problem document, each once. Those of OAuth's endpoints are `oauthErrors`. */
export function problemsOf(endpoint: Endpoint): ErrorCode[] {
  if (endpoint.speaks === 'oauth') return [];
  const { auth, method, origin, path, limit, body, openWithoutFactor, problems = [] } = endpoint;
  // The body of every request that may have one is read and parsed, whether or not the endpoint has a use for it.
  const readsBody = method !== 'GET';
  const needsSession = auth === 'session' || auth === 'administrator';
  const asksForFactor = Object.hasOwn(body?.['properties'] ?? {}, 'secondFactor');
  const codes: readonly ErrorCode[] = [
    // Every endpoint refuses the character NUL in its query.
    'invalid_request',
    ...(readsBody ? (['payload_too_large', 'unsupported_media_type'] as const) : []),
    ...(needsSession ? (['session_missing', 'session_invalid', 'account_disabled'] as const) : []),
    ...(needsSession && !openWithoutFactor ? (['second_factor_missing'] as const) : []),
    ...(auth === 'administrator' ? (['forbidden'] as const) : []),
    ...(auth === 'apiKey' ? keyProblems : []),
    ...(origin === 'same' ? (['origin_refused'] as const) : []),
    ...(path.includes(':') ? (['not_found'] as const) : []),
    ...(limit ? (['rate_limited'] as const) : []),
    ...(asksForFactor ? (['second_factor_required', 'second_factor_invalid', 'rate_limited'] as const) : []),
    ...problems,
    'unavailable',
  ];
  return [...new Set(codes)];
}

const keyProblems = [
  'key_missing',
  'key_invalid',
  'key_expired',
  'rotation_required',
  'account_disabled',
  'paused',
  'scope_missing',
  'rate_limited',
  'monthly_limit_reached',
] as const satisfies ErrorCode[];
