import type { Operation } from '@tabletop-relay/contract';
import { judgeCall, ProblemError } from '../../problem.ts';
import type { ClientSocket } from '../../sockets/client-socket.ts';
import type { WorldReply } from '../../sockets/replies/settle-reply.ts';
import { replayedHeader } from '../idempotency-key.ts';
import type { RemoteRequest } from './read-request.ts';
import { membersWithout } from './members-without.ts';

const braces = Buffer.from('}}');

/** Nobody is left to answer. */
export const sourceLost = new ProblemError(
  'client_timeout',
  'The world that asked went away. Nobody got the answer.',
);

/**
 * Sends the reply of the other world without its `requestId`, which names the command on that world's socket. Throws
 * `client_bad_reply` where the reply is not one JSON object, and where the module reads too slowly for it.
 */
export function sendReply(
  socket: ClientSocket,
  { requestId, ignored, isReplayed }: Pick<RemoteRequest, 'requestId' | 'ignored' | 'isReplayed'>,
  reply: WorldReply,
  patienceMs: number,
): void {
  const release = () => reply.release?.();
  const data = membersWithout(reply.body, ['requestId']);
  if (!data) {
    release();
    throw new ProblemError('client_bad_reply', 'The answer of the other world is not one JSON object.');
  }
  const told = JSON.stringify({
    type: 'remote-response',
    requestId,
    success: true,
    ...ignoredIn(ignored),
    ...(isReplayed ? { replayed: true } : {}),
  });
  const head = `${told.slice(0, -1)},"data":{`;
  const frame = Buffer.concat([Buffer.from(head), ...data, braces]);
  if (socket.sendAnswer(frame, patienceMs, release)) return;
  release();
  if (!socket.isOpen) throw sourceLost;
  throw new ProblemError(
    'client_bad_reply',
    'The other world answered, but this module has not read the answers before: there is no room for it.',
  );
}

const ignoredIn = (ignored: string[] = []) => (ignored.length > 0 ? { ignoredParameters: ignored } : {});

/** Tells the module what HTTP would tell a caller. */
export function sendProblem(
  socket: ClientSocket,
  request: Pick<RemoteRequest, 'requestId' | 'ignored'> & { operation?: Operation | undefined },
  { code, message, fields, headers }: ProblemError,
): void {
  const retryAfterS = Number(headers['retry-after']);
  socket.send({
    ...judgeCall(code, request.operation?.kind),
    ...(retryAfterS > 0 ? { retryAfterMs: retryAfterS * 1_000 } : {}),
    ...ignoredIn(request.ignored),
    ...(headers[replayedHeader] ? { replayed: true } : {}),
    ...fields,
    type: 'remote-response',
    requestId: request.requestId,
    success: false,
    error: message,
    code,
  });
}
