import { addresses, addressOf } from '@tabletop-relay/contract';
import type {
  AllEndpoints,
  AnswerOf,
  Endpoint,
  Endpoints,
  EventStream,
  FieldsOf,
} from '@tabletop-relay/contract';
import { endpointRequest } from './requests/endpoint-request.ts';
import { sendRequest, urlOf } from './requests/send-request.ts';

export interface AccountClientOptions<E extends Endpoints = AllEndpoints> {
  /** The relay's address. A page that the relay itself serves needs none. */
  url?: string;
  /** In place of the platform's `fetch`. */
  fetch?: typeof globalThis.fetch;
  /** Sent with every request, for example `authorization: 'Bearer trs_...'`. On the relay's own pages the session's cookie is enough. */
  headers?: Record<string, string>;
  /** The time for a request; 60 s by default, because a password may wait half of that to be checked. */
  timeoutMs?: number;
  /** Endpoints that a relay offers beyond the published ones. */
  endpoints?: E;
}

export interface EndpointCallOptions {
  headers?: Record<string, string>;
  /** Ends the request. The promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
}

/** A method for each endpoint, `client.updateApiKey({ id, name })`; a failure is a `RelayError`. */
export type AccountClient<E extends Endpoints = AllEndpoints> = {
  [N in keyof E as E[N]['answer'] extends EventStream ? never : N]: EndpointMethod<E[N]>;
};

type EndpointMethod<E extends Endpoint> =
  Partial<FieldsOf<E>> extends FieldsOf<E>
    ? (fields?: Given<E>, options?: EndpointCallOptions) => Promise<AnswerOf<E>>
    : (fields: Given<E>, options?: EndpointCallOptions) => Promise<AnswerOf<E>>;

/** A field that may be absent may also be undefined. */
type Given<E extends Endpoint> = {
  [K in keyof FieldsOf<E>]: undefined extends FieldsOf<E>[K] ? FieldsOf<E>[K] | undefined : FieldsOf<E>[K];
};

/** Makes a client of the account API; nothing is sent before the first call. It knows no schemas: the relay validates. */
export function createAccountClient<const E extends Endpoints = AllEndpoints>(
  options: AccountClientOptions<E> = {},
): AccountClient<AllEndpoints & E> {
  const { url = '', fetch = globalThis.fetch, headers = {}, timeoutMs = 60_000 } = options;

  async function call(address: string, fields?: object, callOptions: EndpointCallOptions = {}) {
    const { method, path, body } = endpointRequest(address, fields);
    return await sendRequest(fetch, {
      method,
      url: urlOf(url, path),
      headers: { ...headers, ...callOptions.headers },
      body,
      timeoutMs: callOptions.timeoutMs ?? timeoutMs,
      signal: callOptions.signal,
    });
  }

  const methods = Object.entries({ ...addresses, ...addressesOf(options.endpoints) }).map(
    ([name, address]) => [
      name,
      (fields?: object, callOptions?: EndpointCallOptions) => call(address, fields, callOptions),
    ],
  );
  return Object.fromEntries(methods) as AccountClient<AllEndpoints & E>;
}

function addressesOf(endpoints: Endpoints = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(endpoints).map(([name, one]) => [name, addressOf(one)]));
}
