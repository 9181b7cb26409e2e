import { defaultTimeoutMs, listOperations, operationGroups } from '@tabletop-relay/contract';
import type { ClientList, Operation } from '@tabletop-relay/contract';
import { operationRequest } from './operation-request.ts';
import type { CallOptions, Groups, PublishedGroups, Relay, RelayOptions } from './relay.ts';
import { withRetries } from './retries.ts';
import { endpoint, sendRequest } from './send-request.ts';

/** Above what the relay gives the world: its own answer, with the reason, comes first. */
const wayMs = 5_000;

interface Wants {
  body?: object | undefined;
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

/** Makes a client of one relay; nothing is sent before the first call. */
export function createRelay<const G extends Groups = PublishedGroups>(
  options: RelayOptions<G>,
): Relay<PublishedGroups & G> {
  const { apiKey, fetch = globalThis.fetch, retries = 0 } = options;

  function send(method: 'GET' | 'POST', path: string, wants: Wants) {
    const { body, signal, timeoutMs } = wants;
    const request = { method, url: endpoint(options.url, path), apiKey, body, signal, timeoutMs };
    return withRetries({ retries, signal }, () => sendRequest(fetch, request));
  }

  function call(operation: Operation, parameters: object = {}, callOptions: CallOptions = {}) {
    const { path, body } = operationRequest(operation, parameters, {
      clientId: callOptions.clientId ?? options.clientId,
      userId: callOptions.userId,
    });
    const timeoutMs = callOptions.timeoutMs ?? options.timeoutMs ?? operation.timeoutMs + wayMs;
    return send(operation.method, path, { body, timeoutMs, signal: callOptions.signal });
  }

  const groups = Object.entries<Groups[string]>({ ...operationGroups, ...options.groups }).map(
    ([name, group]) => {
      const methods = listOperations(group).map((operation) => [
        operation.sdkName,
        (parameters?: object, callOptions?: CallOptions) => call(operation, parameters, callOptions),
      ]);
      return [name, Object.fromEntries(methods)] as const;
    },
  );
  const clients = ({ signal, timeoutMs = options.timeoutMs ?? defaultTimeoutMs }: CallOptions = {}) =>
    send('GET', '/clients', { signal, timeoutMs }) as Promise<ClientList>;
  return { ...Object.fromEntries(groups), clients } as Relay<PublishedGroups & G>;
}
