import { addresses, operationRequest, pathOf } from '@tabletop-relay/contract';
import type { Channel, ClientList } from '@tabletop-relay/contract/types';
import type { CallOptions } from './call.ts';
import { formOf } from './call-form.ts';
import { createEventStreams } from './events/event-streams.ts';
import type { Follow } from './events/event-streams.ts';
import { ticketRequest } from './events/stream-ticket.ts';
import type { StreamTicket } from './events/stream-ticket.ts';
import { operationTable } from './generated/operation-table.ts';
import type { OperationRow } from './operation-table.ts';
import { readFile } from './requests/relay-file.ts';
import type { Relay, RelayOptions } from './relay.ts';
import { withRetries } from './requests/retries.ts';
import { createIsHonoured, ownKey } from './requests/idempotency.ts';
import { createSessions } from './sessions/sessions.ts';
import { connectSocket } from './socket/connect.ts';
import type { ConnectOptions } from './socket/connect.ts';
import { checkAddress } from './requests/check-address.ts';
import { readObject, sendRequest, urlOf } from './requests/send-request.ts';

/** How long the relay waits for a world, and answers by itself, where nothing else is said. */
const usualTimeoutMs = 10_000;
/** Above what the relay gives the world: its own answer, with the reason, comes first. */
const wayMs = 5_000;

/** Makes a client of one relay; nothing is sent before the first call. Throws a `TypeError` where `url` is no address of a relay. */
export function createRelay(options: RelayOptions): Relay {
  const { apiKey, fetch = globalThis.fetch, retries = 0 } = options;
  checkAddress(options.url);
  const isHonoured = createIsHonoured(fetch, options);

  const timeoutOf = ({ timeoutMs = usualTimeoutMs }: OperationRow, callOptions: CallOptions) =>
    callOptions.timeoutMs ?? options.timeoutMs ?? timeoutMs + wayMs;

  async function call(row: OperationRow, parameters: object = {}, callOptions: CallOptions = {}) {
    const { signal, userId, clientId = options.clientId } = callOptions;
    const { method, path, body, bytes } = operationRequest({
      form: formOf(row),
      parameters,
      clientId,
      userId,
    });
    const { answersFile, isRepeatable = method === 'GET' } = row;
    const idempotencyKey = isRepeatable ? undefined : (callOptions.idempotencyKey ?? ownKey(retries));
    const request = {
      method,
      url: urlOf(options.url, path),
      apiKey,
      // Some operations answer a picture only to who names that type.
      ...(answersFile ? { accept: 'image/*, */*' } : {}),
      body: bytes ?? body,
      isRepeatable,
      ...(idempotencyKey === undefined ? {} : { headers: { 'idempotency-key': idempotencyKey } }),
      timeoutMs: timeoutOf(row, callOptions),
      signal,
    };
    const read = answersFile ? readFile : readObject;
    const keyed = idempotencyKey !== undefined ? { isHonoured, runningMs: request.timeoutMs } : undefined;
    return withRetries({ retries, signal, keyed }, () => sendRequest(fetch, request, read));
  }

  async function clients(callOptions: CallOptions = {}): Promise<ClientList> {
    const { signal, timeoutMs = options.timeoutMs ?? usualTimeoutMs } = callOptions;
    const url = urlOf(options.url, pathOf(addresses.listClients));
    const request = { method: 'GET', url, apiKey, isRepeatable: true, timeoutMs, signal };
    const list = await withRetries({ retries, signal }, () => sendRequest(fetch, request, readObject));
    return list as ClientList;
  }

  async function streamTicket(
    channel: Channel,
    follow: Follow<Channel>,
    { signal, timeoutMs = options.timeoutMs ?? usualTimeoutMs }: CallOptions = {},
  ): Promise<StreamTicket> {
    const { path, ...rest } = ticketRequest(channel, {
      ...follow,
      clientId: follow.clientId ?? options.clientId,
    });
    const request = { ...rest, url: urlOf(options.url, path), apiKey, isRepeatable: true, timeoutMs, signal };
    return (await withRetries({ retries, signal }, () =>
      sendRequest(fetch, request, readObject),
    )) as StreamTicket;
  }

  const sessions = createSessions(({ path, options: { timeoutMs, signal }, ...request }) =>
    sendRequest(fetch, { ...request, url: urlOf(options.url, path), apiKey, timeoutMs, signal }),
  );

  const table = { ...operationTable, ...options.operations };
  const connect = (connectOptions: ConnectOptions = {}) =>
    connectSocket({ options, table, callByHttp: call, isHonoured, timeoutOf }, connectOptions);
  const groups = Object.entries(table).map(([name, rows]) => {
    const methods = Object.entries(rows).map(([method, row]) => [
      method,
      (parameters?: object, callOptions?: CallOptions) => call(row, parameters, callOptions),
    ]);
    return [name, Object.fromEntries(methods)] as const;
  });
  const events = createEventStreams(options);
  return {
    ...Object.fromEntries(groups),
    clients,
    connect,
    events,
    sessions,
    streamTicket,
  } as unknown as Relay;
}
