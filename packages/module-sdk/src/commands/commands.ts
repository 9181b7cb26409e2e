import { readTraceparent } from '@tabletop-relay/contract';
import { FrameTooLarge, OperationRefused, messageOf } from '../errors.ts';
import type { CommandCaller, CommandContext, Handlers, TraceCommand } from './handlers.ts';
import type { CommandMemory, Idempotency } from './memory.ts';

/** A frame as it came: an object with a type, and nothing else known of it. */
export interface Frame {
  type: string;
  [field: string]: unknown;
}

type Command = Frame & { requestId: string };

/** The commands running for one socket. */
export interface Commands {
  /** Runs a command once and replies, unless it is cancelled before it ends. */
  run(frame: Command): void;
  cancel(requestId: unknown): void;
  cancelAll(reason: string): void;
}

type AnyHandler = (parameters: object, context: CommandContext) => object | Promise<object>;

/** Answers the commands of one socket; `reply` may throw where a result is not JSON, or too large. */
export function createCommands(options: {
  handlers: Handlers;
  trace?: TraceCommand | undefined;
  memory: CommandMemory;
  reply: (frame: object) => unknown;
  onError: (error: unknown) => void;
}): Commands {
  const running = new Map<unknown, AbortController>();
  const handlers = options.handlers as Record<string, AnyHandler | undefined>;

  const answer = async (frame: Command, signal: AbortSignal): Promise<object> => {
    const { type, requestId, userId, traceparent: given, caller, idempotency: _, ...parameters } = frame;
    const handler = Object.hasOwn(handlers, type) ? handlers[type] : undefined;
    if (!handler) return { error: `This world does not answer ${type}`, code: 'not_supported' };
    const traceparent = readTraceparent(given);
    const context = {
      requestId,
      userId: typeof userId === 'string' ? userId : undefined,
      signal,
      traceparent,
      caller: readCaller(caller),
    };
    const run = async () => await handler(parameters, context);
    try {
      if (!options.trace || traceparent === undefined) return await run();
      return await options.trace({ name: type, traceparent }, run);
    } catch (error) {
      if (error instanceof OperationRefused) return { error: error.message, code: error.code };
      if (!signal.aborted) options.onError(error);
      return { error: messageOf(error) || 'The module failed' };
    }
  };

  const cancel = (requestId: unknown, reason: string) => {
    const controller = running.get(requestId);
    running.delete(requestId);
    controller?.abort(new Error(reason));
  };

  const execute = async (frame: Command, controller: AbortController) => {
    const { type, requestId } = frame;
    const keyed = readIdempotency(frame['idempotency']);
    // Its caller comes back for the answer, so it runs on when nobody waits for it.
    const result = keyed
      ? await options.memory.once(keyed, (signal) => answer(frame, signal))
      : await answer(frame, controller.signal);
    if (running.get(requestId) !== controller) return;
    running.delete(requestId);
    const envelope = { type: `${type}-result`, requestId };
    try {
      // First, and an error next: the relay reads no more of a large reply than its beginning. Last, because it is not the handler's to set.
      options.reply({ ...envelope, error: undefined, ...result, ...envelope });
    } catch (error) {
      options.onError(error);
      options.reply({ ...envelope, ...refusalOf(error) });
    }
  };

  return {
    run(frame) {
      if (running.has(frame.requestId)) return;
      const controller = new AbortController();
      running.set(frame.requestId, controller);
      void execute(frame, controller);
    },
    cancel: (requestId) => cancel(requestId, 'Nobody waits for the answer'),
    cancelAll(reason) {
      for (const requestId of running.keys()) cancel(requestId, reason);
    },
  };
}

/** The key of a command that its caller may repeat. */
function readIdempotency(given: unknown): Idempotency | undefined {
  const { key, reservedAt, isRepeat } = (given ?? {}) as Partial<Record<keyof Idempotency, unknown>>;
  if (typeof key !== 'string' || typeof reservedAt !== 'number') return undefined;
  return { key, reservedAt, isRepeat: isRepeat === true };
}

/** Who asks, where the relay says so in the form that this SDK knows. */
function readCaller(given: unknown): CommandCaller | undefined {
  const { id, name, kind, via } = (given ?? {}) as Partial<Record<keyof CommandCaller, unknown>>;
  const isKnown = [id, name, kind, via].every((value) => typeof value === 'string');
  return isKnown ? ({ id, name, kind, via } as CommandCaller) : undefined;
}

/** Detail for the caller of a result that cannot be sent. */
function refusalOf(error: unknown): { error: string; code?: string } {
  if (!(error instanceof FrameTooLarge)) return { error: 'The result cannot be written as JSON' };
  return { error: `The result cannot be sent. ${error.message}; ask for less.`, code: 'result_too_large' };
}
