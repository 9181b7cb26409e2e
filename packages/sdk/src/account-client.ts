import { addresses } from '@tabletop-relay/contract';
import type { EndpointCallOptions } from './call.ts';
import type { AccountMethods } from './generated/account-methods.ts';
import { checkAddress } from './requests/check-address.ts';
import { endpointRequest } from './requests/endpoint-request.ts';
import { sendRequest, urlOf } from './requests/send-request.ts';

export interface AccountClientOptions {
  /** The relay's address. A page that the relay itself serves needs none. */
  url?: string;
  /** In place of the platform's `fetch`. */
  fetch?: typeof globalThis.fetch;
  /** Sent with every request, for example `authorization: 'Bearer trs_...'`. On the relay's own pages the session's cookie is enough. */
  headers?: Record<string, string>;
  /** The time for a request; 60 s by default, because a password may wait half of that to be checked. */
  timeoutMs?: number;
  /** Endpoints that a relay offers beyond the published ones: method and path, `PUT /notes/:topic`, by name. The client has their methods too. */
  addresses?: Readonly<Record<string, string>>;
}

/** A method for each endpoint, `client.updateApiKey({ id, name })`; a failure is a `RelayError`. */
export type AccountClient = AccountMethods;

/**
 * Makes a client of the account API; nothing is sent before the first call. It knows no schemas: the relay validates.
 */
export function createAccountClient(options: AccountClientOptions = {}): AccountClient {
  if (options.url !== undefined && options.url !== '') checkAddress(options.url);
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

  const methods = Object.entries({ ...addresses, ...options.addresses }).map(([name, address]) => [
    name,
    (fields?: object, callOptions?: EndpointCallOptions) => call(address, fields, callOptions),
  ]);
  return Object.fromEntries(methods) as AccountClient;
}
