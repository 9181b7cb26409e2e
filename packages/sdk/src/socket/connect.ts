import { operationRequest } from '@tabletop-relay/contract';
import type { CallOptions } from '../call.ts';
import { formOf } from '../call-form.ts';
import type { EventStreams } from '../events/event-streams.ts';
import type { OperationMethods } from '../generated/operation-methods.ts';
import type { OperationRow, OperationTable } from '../operation-table.ts';
import { ownKey } from '../requests/idempotency.ts';
import type { RelayError } from '../requests/relay-error.ts';
import { withRetries } from '../requests/retries.ts';
import { createSocketEvents } from './socket-events.ts';
import { SocketLine } from './socket-line.ts';
import type { SocketLike } from './socket-line.ts';

export interface ConnectOptions {
  /** In place of the platform's `WebSocket`: Node has one from version 22 on. */
  WebSocket?: new (url: string) => SocketLike;
  /** Called when the connection is lost, with the time until the next try. */
  onInterrupted?: (error: RelayError, retryInMs: number) => void;
  /** After so long without a sign of life the connection is given up; 40 s by default. */
  silentMs?: number;
}

/**
 * One connection for calls and events, `socket.<group>.<operation>(parameters, options)` and `socket.events.<channel>(...)`. It comes back
 * by itself, and its events go on behind the last one.
 */
export interface RelaySocket extends OperationMethods {
  events: EventStreams;
  /** Ends it; loops over its events end too. */
  close(): void;
  /** Resolves when it has ended for good: with the error for which it does not come back, or with nothing after `close`. */
  closed: Promise<RelayError | undefined>;
}

type CallByHttp = (row: OperationRow, parameters?: object, options?: CallOptions) => Promise<object>;

interface Parts {
  options: { url: string; apiKey: string; clientId?: string; retries?: number };
  table: OperationTable;
  /** For what a socket does not carry: files, and more than 256 KiB. */
  callByHttp: CallByHttp;
  isHonoured: () => Promise<boolean>;
  timeoutOf: (row: OperationRow, options: CallOptions) => number;
}

const usualSilentMs = 40_000;
/** Of the 262,144 bytes of a message; the rest is for what stands beside the parameters. */
const mostBytes = 260_000;
/** Names that a message has for itself. */
const ownNames = ['type', 'requestId', 'idempotencyKey', 'traceparent'];

/** Opens the socket. Rejects with a `RelayError` where that fails, after as many repeats as the client makes. */
export async function connectSocket(parts: Parts, connect: ConnectOptions): Promise<RelaySocket> {
  const { options, table } = parts;
  const { retries = 0, url, apiKey } = options;
  const { silentMs = usualSilentMs, onInterrupted, WebSocket = platformSocket() } = connect;
  const line = new SocketLine({ url, apiKey, WebSocket, silentMs, onInterrupted });
  await withRetries({ retries, signal: undefined }, () => line.open());
  const groups = Object.entries(table).map(([name, rows]) => {
    const methods = Object.entries(rows).map(([method, row]) => [
      method,
      (parameters?: object, callOptions?: CallOptions) =>
        callBySocket(parts, line, { method, row }, parameters, callOptions),
    ]);
    return [name, Object.fromEntries(methods)] as const;
  });
  return {
    ...Object.fromEntries(groups),
    events: createSocketEvents(line, options.clientId),
    close: () => line.close(),
    closed: line.ended,
  } as unknown as RelaySocket;
}

function platformSocket(): new (url: string) => SocketLike {
  const { WebSocket } = globalThis as { WebSocket?: new (url: string) => SocketLike };
  if (WebSocket) return WebSocket;
  throw new TypeError(
    'This platform has no WebSocket: give one to `connect`, for example that of the package ws.',
  );
}

async function callBySocket(
  parts: Parts,
  line: SocketLine,
  { method, row }: { method: string; row: OperationRow },
  parameters: object = {},
  options: CallOptions = {},
): Promise<object> {
  const { retries = 0 } = parts.options;
  const { clientId = parts.options.clientId, userId, signal } = options;
  const { bytes } = operationRequest({ form: formOf(row), parameters, clientId, userId });
  const given = {
    ...parameters,
    ...(clientId === undefined ? {} : { clientId }),
    ...(userId === undefined ? {} : { userId }),
  };
  const isTooMuch = () => new TextEncoder().encode(JSON.stringify(given)).length > mostBytes;
  if (row.answersFile || bytes || ownNames.some((name) => name in parameters) || isTooMuch())
    return await parts.callByHttp(row, parameters, options);
  const isRepeatable = row.isRepeatable ?? row.call.startsWith('GET ');
  const idempotencyKey = isRepeatable ? undefined : (options.idempotencyKey ?? ownKey(retries));
  const message = {
    ...given,
    type: nameOf(method),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  };
  const timeoutMs = parts.timeoutOf(row, options);
  const keyed =
    idempotencyKey === undefined ? undefined : { isHonoured: parts.isHonoured, runningMs: timeoutMs };
  return await withRetries({ retries, signal, keyed }, () =>
    line.ask(message, { timeoutMs, signal, isRepeatable }),
  );
}

/** The name of an operation: that of its method, with hyphens. */
const nameOf = (method: string): string =>
  method.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
