import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { STATUS_CODES } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { RelayMetrics } from '../../metrics.ts';
import { ProblemError, problemDocument } from '../../problem.ts';

/** So many requests of one connection may wait for their answers. Programs that send ahead send a handful. */
export const mostOwed = 16;

/** A request and its response. */
interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

interface Connection {
  owed: number;
  /** The request that came last, as long as its answer is owed or its body is not whole. */
  last?: Exchange | undefined;
  /** To be called when no answer is owed any more. */
  atNone: (() => void)[];
}

/**
 * Counts the requests of each connection that are not answered yet. Node makes a request of all that it has read at
 * once, and 64 KiB are thousands, so a connection with more than `mostOwed` is closed.
 */
export interface OwedAnswers {
  /**
   * Counts a request, to be called before it is handled. False: the connection is closed, and the request must not be
   * handled. Node tells of the requests of a chunk also where the connection was closed at one before them.
   */
  take(request: IncomingMessage, response: ServerResponse): boolean;
  /** How many answers a connection waits for, or all of them together. */
  of(socket?: Socket): number;
  /** The request whose body is not whole yet, answered or not. */
  unfinished(socket: Socket): Exchange | undefined;
  /** Calls `then` when no answer is owed: at once, or behind the last one. */
  whenNone(socket: Socket, then: () => void): void;
}

export function createOwedAnswers(): OwedAnswers {
  const connections = new WeakMap<Socket, Connection>();
  let all = 0;

  function answered(connection: Connection, { request }: Exchange): void {
    all--;
    connection.owed--;
    if (connection.last?.request === request && request.complete) connection.last = undefined;
    if (connection.owed > 0) return;
    for (const then of connection.atNone.splice(0)) then();
  }

  return {
    take(request, response) {
      const { socket } = request;
      if (socket.destroyed) return false;
      const connection = connections.get(socket) ?? { owed: 0, atNone: [] };
      connections.set(socket, connection);
      if (connection.owed === mostOwed) {
        socket.destroy();
        return false;
      }
      all++;
      connection.owed++;
      const exchange = { request, response };
      connection.last = exchange;
      // Also where the caller has gone.
      response.once('close', () => answered(connection, exchange));
      return true;
    },
    of: (socket) => (socket ? (connections.get(socket)?.owed ?? 0) : all),
    unfinished(socket) {
      const last = connections.get(socket)?.last;
      return last?.request.complete ? undefined : last;
    },
    whenNone(socket, then) {
      const connection = connections.get(socket);
      if (connection && connection.owed > 0) connection.atNone.push(then);
      else then();
    },
  };
}

interface BareContext {
  publicUrl: string;
  traceId: string;
  log: FastifyBaseLogger;
  metrics: Pick<RelayMetrics, 'requestsRefused'>;
  /** What stands on every answer. */
  headers: Readonly<Record<string, string>>;
}

/** An error of Node's parser, or of its clock. The bytes are those of the chunk in which the parser stopped. */
interface ReadError extends Error {
  code?: string;
  /** A Buffer, although Fastify's types have it otherwise. */
  rawPacket?: unknown;
  bytesParsed?: number;
}

/** So much is still read, and thrown away, behind bytes that are no request, until the answers before them are sent. */
const mostBehindBytes = 1_048_576;

export interface Unreadable {
  /** For Node's 'clientError': answers what is not even a request, because there is nothing to reply to. */
  answer(error: ReadError, socket: Socket): void;
  /** Whether a connection is given up: it ends when its owed answers are sent. */
  isGivenUp(socket: Socket): boolean;
  /** CONNECT asks for a tunnel to another host, so it has no route and no reply. */
  refuseTunnel(socket: Socket): void;
  /** Refuses a request whose body broke off before it was read. */
  refuseBroken(app: FastifyInstance): void;
}

/** Answers what Node refuses by itself, by problem documents and in its turn. */
export function createUnreadable(owed: OwedAnswers, context: () => BareContext): Unreadable {
  const broken = new WeakMap<IncomingMessage, ProblemError>();
  /** How much had been read of a connection when it was given up. */
  const ending = new WeakMap<Socket, number>();

  /** Of an answer that is owed or under way other bytes would be taken for a part. */
  function endBehindAnswers(socket: Socket): void {
    const readBefore = ending.get(socket);
    if (readBefore === undefined) {
      ending.set(socket, socket.bytesRead);
      owed.whenNone(socket, () => socket.destroySoon());
      return;
    }
    // Node tells of each further chunk.
    if (socket.bytesRead - readBefore > mostBehindBytes) socket.destroy();
  }

  /** The reader of the body takes it for the body's end and answers it. */
  function failBody(request: IncomingMessage, problem: ProblemError): void {
    if (request.listenerCount('error') > 0) request.emit('error', problem);
    else broken.set(request, problem);
  }

  return {
    answer(error, socket) {
      const isUnused = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0;
      if (error.code === 'ECONNRESET' || !socket.writable || isUnused) return void socket.destroy();
      if (ending.has(socket)) return endBehindAnswers(socket);
      const unfinished = owed.unfinished(socket);
      const problem = new ProblemError('invalid_request', detailOf(error), {
        cause: error.code,
        ...(unfinished && { headers: { connection: 'close' } }),
      });
      if (!unfinished && owed.of(socket) === 0) return writeBare(socket, problem, context());
      endBehindAnswers(socket);
      if (unfinished && !unfinished.response.writableEnded) failBody(unfinished.request, problem);
    },
    isGivenUp: (socket) => ending.has(socket),
    refuseTunnel(socket) {
      // Node has taken its own listener away, and an error that nobody listens for would end the process.
      socket.on('error', () => socket.destroy());
      const detail = 'CONNECT is not taken: the relay is no proxy.';
      const problem = new ProblemError('method_not_allowed', detail, { headers: { allow: '' } });
      owed.whenNone(socket, () => writeBare(socket, problem, context()));
    },
    refuseBroken(app) {
      app.addHook('preParsing', ({ raw }, _reply, payload, done) => {
        const problem = broken.get(raw);
        if (problem) done(problem);
        else done(null, payload);
      });
    },
  };
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

const details: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The request’s headers are larger than 16 KiB together.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive whole in time.',
  HPE_INVALID_EOF_STATE: 'The request ends before its announced length.',
};

function detailOf({ code = '', rawPacket, bytesParsed = 0 }: ReadError): string {
  if (code === 'HPE_INVALID_URL' || hasSpaceInTarget(rawPacket, bytesParsed))
    return 'The request’s target has characters that an address may not have: percent-encode it.';
  return details[code] ?? 'This is not HTTP/1.1.';
}

/** Whether more than method, target and version stand in the line in which the parser stopped. */
function hasSpaceInTarget(bytes: unknown, at: number): boolean {
  if (!Buffer.isBuffer(bytes)) return false;
  const begin = bytes.lastIndexOf('\n', at) + 1;
  const line = bytes.toString('latin1', begin, begin + 16_384).split('\n', 1)[0];
  return /^[A-Z]+ \S+ .*\S HTTP\/1\.[01]\r?$/.test(line ?? '');
}
