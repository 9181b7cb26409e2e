import {
  addresses,
  defaultTimeoutMs,
  listOperations,
  operationGroups,
  operationRequest,
  pathOf,
} from '@tabletop-relay/contract';
import type { Channel, ClientList, Operation } from '@tabletop-relay/contract';
import { createEventStreams } from './events/event-streams.ts';
import type { Follow } from './events/event-streams.ts';
import { ticketRequest } from './events/stream-ticket.ts';
import type { StreamTicket } from './events/stream-ticket.ts';
import { readFile } from './requests/relay-file.ts';
import type { CallOptions, Groups, PublishedGroups, Relay, RelayOptions } from './relay.ts';
import { withRetries } from './requests/retries.ts';
import { createSessions } from './sessions/sessions.ts';
import { readObject, sendRequest, urlOf } from './requests/send-request.ts';

/** Above what the relay gives the world: its own answer, with the reason, comes first. */
const wayMs = 5_000;

/** Makes a client of one relay; nothing is sent before the first call. */
export function createRelay<const G extends Groups = PublishedGroups>(
  options: RelayOptions<G>,
): Relay<PublishedGroups & G> {
  const { apiKey, fetch = globalThis.fetch, retries = 0 } = options;

  async function call(operation: Operation, parameters: object = {}, callOptions: CallOptions = {}) {
    const { signal, userId, clientId = options.clientId } = callOptions;
    const { method, path, body, bytes } = operationRequest({ operation, parameters, clientId, userId });
    const request = {
      method,
      url: urlOf(options.url, path),
      apiKey,
      ...(operation.resultBytes ? { accept: '*/*' } : {}),
      body: bytes ?? body,
      isRepeatable: operation.kind === 'query',
      timeoutMs: callOptions.timeoutMs ?? options.timeoutMs ?? operation.timeoutMs + wayMs,
      signal,
    };
    const read = operation.resultBytes ? readFile : readObject;
    return withRetries({ retries, signal }, () => sendRequest(fetch, request, read));
  }

  async function clients(callOptions: CallOptions = {}): Promise<ClientList> {
    const { signal, timeoutMs = options.timeoutMs ?? defaultTimeoutMs } = callOptions;
    const url = urlOf(options.url, pathOf(addresses.listClients));
    const request = { method: 'GET', url, apiKey, isRepeatable: true, timeoutMs, signal };
    const list = await withRetries({ retries, signal }, () => sendRequest(fetch, request, readObject));
    return list as ClientList;
  }

  async function streamTicket(
    channel: Channel,
    follow: Follow<Channel>,
    { signal, timeoutMs = options.timeoutMs ?? defaultTimeoutMs }: CallOptions = {},
  ): Promise<StreamTicket> {
    const { path, ...rest } = ticketRequest(channel, { clientId: options.clientId, ...follow });
    const request = { ...rest, url: urlOf(options.url, path), apiKey, isRepeatable: true, timeoutMs, signal };
    return (await withRetries({ retries, signal }, () =>
      sendRequest(fetch, request, readObject),
    )) as StreamTicket;
  }

  const sessions = createSessions(({ path, options: { timeoutMs, signal }, ...request }) =>
    sendRequest(fetch, { ...request, url: urlOf(options.url, path), apiKey, timeoutMs, signal }),
  );

  const groups = Object.entries<Groups[string]>({ ...operationGroups, ...options.groups }).map(
    ([name, group]) => {
      const methods = listOperations(group).map((operation) => [
        operation.sdkName,
        (parameters?: object, callOptions?: CallOptions) => call(operation, parameters, callOptions),
      ]);
      return [name, Object.fromEntries(methods)] as const;
    },
  );
  const events = createEventStreams(options);
  return { ...Object.fromEntries(groups), clients, events, sessions, streamTicket } as unknown as Relay<
    PublishedGroups & G
  >;
}
