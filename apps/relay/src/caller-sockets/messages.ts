import { callerFrames, maxRequestIdLength } from '@tabletop-relay/contract';
import type { ErrorCode, Operation } from '@tabletop-relay/contract';
import type { ParseJson } from '../calls/bodies/read-json.ts';
import { invalidFields, ProblemError } from '../problem.ts';
import { createSocketRate } from '../sockets/frames/socket-rate.ts';
import type { TellRefusal } from './admission.ts';
import { isId } from './caller-socket.ts';
import type { CallerSocket } from './caller-socket.ts';
import type { createCarryOut } from './carry-out.ts';
import { problemOf, failureMessage } from './failures.ts';
import type { createSubscriptions } from './subscriptions.ts';

export interface MessagesDeps {
  operations: readonly Operation[];
  carryOut: ReturnType<typeof createCarryOut>;
  subscriptions: ReturnType<typeof createSubscriptions>;
  parseJson: ParseJson;
  tellRefusal: TellRefusal;
  nextId(): string;
  settings: { callsInFlightPerKey: number };
}

/** A larger message is refused; one of more than twice as much closes the socket. */
export const maxMessageBytes = 262_144;

const minute = 60_000;
/** Messages of a minute that could not be read, or name what there is not. */
const badMessages = { max: 60, windowMs: minute };
/** Messages of a minute that cost no call: `ping`, `unsubscribe`, `cancel`, and what is refused before it costs one. */
const cheapMessages = { max: 600, windowMs: minute };

/** A program that is told so has a fault, and repeats it. */
const badCodes: ReadonlySet<ErrorCode> = new Set(['invalid_request', 'not_found', 'payload_too_large']);

type Fields = Record<string, unknown>;

/** Takes the messages of sockets whose key was accepted. */
export type TakeMessage = (socket: CallerSocket, data: Buffer, isBinary: boolean) => void;

// oxlint-disable-next-line max-lines-per-function -- The kinds of messages stand together.
export function createTakeMessage(deps: MessagesDeps): TakeMessage {
  const { carryOut, subscriptions, parseJson, tellRefusal, nextId, settings } = deps;
  const operations = new Map(deps.operations.map((operation) => [operation.name, operation]));
  const bad = createSocketRate(badMessages);
  const cheap = createSocketRate(cheapMessages);
  /** Those above are refused as in flight anyway; so many more wait for their key to be looked at. */
  const mostBusy = settings.callsInFlightPerKey + 100;

  function refuse(
    socket: CallerSocket,
    error: unknown,
    named: { requestId?: string },
    traceId = nextId(),
  ): void {
    const problem = problemOf(error);
    tellRefusal(socket, problem, { traceId });
    const context = { publicUrl: socket.visitor.publicUrl, traceId, relayed: undefined };
    const words = problem.fields.error ?? problem.message;
    socket.send({ type: 'error', ...named, ...failureMessage(problem, context, words) });
    if (!badCodes.has(problem.code)) spendCheap(socket);
    else if (bad.spend(socket).refusedInARow > 0) socket.close('badMessages');
  }

  /** False where the socket has sent too many, and is closed. */
  function spendCheap(socket: CallerSocket): boolean {
    if (cheap.spend(socket).refusedInARow === 0) return true;
    socket.close('tooMany', 'Too many messages that cost no call');
    return false;
  }

  /** No more is read while so much is under way. */
  function run(socket: CallerSocket, work: Promise<void>): void {
    socket.busy++;
    if (socket.busy >= mostBusy) socket.ws.pause();
    void work.finally(() => {
      socket.busy--;
      if (socket.busy < mostBusy && socket.ws.isPaused) socket.ws.resume();
    });
  }

  function takeObject(socket: CallerSocket, { type, requestId, ...fields }: Fields, bytes: number): void {
    const named = isId(requestId) ? { requestId } : {};
    try {
      const operation = typeof type === 'string' ? operations.get(type) : undefined;
      if (!operation && !isControl(type)) throw unknownType(type);
      if (requestId === undefined ? operation !== undefined || type === 'cancel' : !isId(requestId))
        throw invalidFields([{ field: 'requestId', message: requestIdFault }]);
      const message = { traceId: nextId(), named, fields };
      if (operation && isId(requestId)) {
        if (socket.calls.has(requestId)) throw inUse(requestId);
        const call = { operation, requestId, traceId: message.traceId, fields, bytes };
        const carriedOut = carryOut(socket, call).then((isPaid) => {
          if (!isPaid) spendCheap(socket);
        });
        return run(socket, carriedOut);
      }
      if (type === 'subscribe') {
        const refused = (error: unknown) => refuse(socket, error, named, message.traceId);
        return run(socket, subscriptions.subscribe(socket, message).catch(refused));
      }
      if (!spendCheap(socket)) return;
      if (type === 'ping') socket.send({ type: 'pong', ...named });
      else if (type === 'unsubscribe') subscriptions.unsubscribe(socket, message);
      else if (type === 'cancel') socket.calls.get(requestId as string)?.abort();
      else
        throw invalidFields([{ field: 'type', message: 'must not be `auth` again: the key was accepted' }]);
    } catch (error) {
      refuse(socket, error, named);
    }
  }

  return function takeMessage(socket, data, isBinary) {
    socket.quietRounds = 0;
    // Closing goes on reading for a while.
    if (!socket.isOpen || !socket.admitted) return;
    if (isBinary) return refuse(socket, unreadable('must be JSON as text, and not binary'), {});
    if (data.length > maxMessageBytes) return refuse(socket, tooLarge(), {});
    const { principal } = socket.admitted;
    const done = (error: Error | null, value?: unknown): void => {
      if (error) refuse(socket, error instanceof ProblemError ? error : unreadable('is not JSON'), {});
      else if (typeof value !== 'object' || value === null || Array.isArray(value))
        refuse(socket, unreadable('must be an object'), {});
      else takeObject(socket, value as Fields, data.length);
    };
    try {
      parseJson({ principal }, data.toString(), done);
    } catch (error) {
      refuse(socket, error, {});
    }
  };
}

const isControl = (type: unknown): type is keyof typeof callerFrames =>
  typeof type === 'string' && Object.hasOwn(callerFrames, type);

const requestIdFault = `must be a text of 1 to ${maxRequestIdLength} characters: the answer repeats it`;

/** Programs of another relay look for these words. */
const unreadable = (message: string) =>
  invalidFields([{ field: 'message', message }], { error: 'Invalid JSON' });

const unknownType = (type: unknown) =>
  new ProblemError(
    'not_found',
    typeof type === 'string'
      ? `Unknown message type: ${type.slice(0, 100)}. \`connected\` lists those that there are.`
      : 'Unknown message type: the message has no `type`.',
  );

const inUse = (requestId: string) =>
  invalidFields([
    { field: 'requestId', message: `must be new: a call with ${requestId} is under way on this socket` },
  ]);

const tooLarge = () =>
  new ProblemError(
    'payload_too_large',
    `A message has ${maxMessageBytes} bytes at most. Larger ones, such as files, go over HTTP.`,
  );
