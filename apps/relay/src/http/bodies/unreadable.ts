import type { FastifyBaseLogger } from 'fastify';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { RelayMetrics } from '../../metrics.ts';
import { ProblemError } from '../../problem.ts';
import { problemDocument } from '../error-handler.ts';

interface BareContext {
  publicUrl: string;
  traceId: string;
  log: FastifyBaseLogger;
  metrics: Pick<RelayMetrics, 'requestsRefused'>;
  /** What stands on every answer. */
  headers: Readonly<Record<string, string>>;
}

/** Answers what is not even a request: Node refuses it before there is anything to reply to. */
export function answerUnreadable(
  error: Error & { code?: string },
  socket: Socket,
  context: BareContext,
): void {
  // Of an answer that is owed or under way these bytes would be taken for a part.
  const owesAnswer = '_httpMessage' in socket && Boolean(socket._httpMessage);
  const isUnused = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0;
  if (error.code === 'ECONNRESET' || !socket.writable || owesAnswer || isUnused) {
    socket.destroy();
    return;
  }
  const detail = unreadable[error.code ?? ''] ?? 'This is not HTTP/1.1.';
  writeBare(socket, new ProblemError('invalid_request', detail, { cause: error.code }), context);
}

/** CONNECT asks for a tunnel to another host, so it has no route and no reply. */
export function refuseTunnel(socket: Socket, context: BareContext): void {
  const detail = 'CONNECT is not taken: the relay is no proxy.';
  writeBare(socket, new ProblemError('method_not_allowed', detail, { headers: { allow: '' } }), context);
}

function writeBare(
  socket: Socket,
  problem: ProblemError,
  { publicUrl, traceId, log, headers, metrics }: BareContext,
): void {
  const { code, status, cause } = problem;
  metrics.requestsRefused.labels(code, 'none').inc();
  const address = socket.remoteAddress;
  log.info({ requestId: traceId, code, status, address, ...(cause ? { cause } : {}) }, 'request refused');
  const body = JSON.stringify(problemDocument(problem, { publicUrl, traceId, relayed: undefined }));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries({ ...headers, ...problem.headers }).map(([name, value]) => `${name}: ${value}`),
    'content-type: application/problem+json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${traceId}`,
    'connection: close',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  socket.destroySoon();
}

const unreadable: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The request’s headers are larger than 16 KiB together.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive whole in time.',
};
