import type { OperationTypes, WireParameters } from '@tabletop-relay/contract/types';

/** The name of an operation on the wire: the `type` of its command. */
export type OperationName = keyof OperationTypes;

/** The fields that a world answers beside `type` and `requestId`. */
export type OperationResult<N extends OperationName> = OperationTypes[N]['result'];

/** The facts about a command that a handler gets beside its parameters. */
export interface CommandContext {
  requestId: string;
  /** The tabletop user (id or name) to act as; absent means GM-level access. */
  userId: string | undefined;
  /** Aborted when nobody waits for the answer any more: the caller left, or the connection is gone. */
  signal: AbortSignal;
  /** Where the call is traced: W3C Trace Context of the relay's span, for spans of the module's own. */
  traceparent: string | undefined;
  /** Who asks, where the module declares `wantsCaller`. */
  caller: CommandCaller | undefined;
}

/** Who asks. Decide by `id`: anybody may choose any `name`. */
export interface CommandCaller {
  /** A pseudonym: one key has one id in this world, as long as the relay's secret stands. */
  id: string;
  /** What the account calls the key, or the browser of the other world: plain text of at most 60 letters. */
  name: string;
  /** `key`: a program with a key. `masterKey`: whoever has the account's. `world`: the module of another world. */
  kind: 'key' | 'masterKey' | 'world';
  /** `mcp`: an assistant. */
  via: 'http' | 'mcp' | 'module';
}

/**
 * Runs the handler of a command that is traced, for example within a span that continues `traceparent`. `run` answers as the
 * handler does, and rejects where it throws.
 */
export type TraceCommand = (
  command: { name: string; traceparent: string },
  run: () => Promise<object>,
) => Promise<object>;

/** Answers one operation with the fields of its result; refuse with `OperationRefused`. */
export type Handler<N extends OperationName> = (
  parameters: WireParameters<N>,
  context: CommandContext,
) => OperationResult<N> | Promise<OperationResult<N>>;

/** The operations that a world answers; others are refused as `not_supported`. */
export type Handlers = { [N in OperationName]?: Handler<N> };
