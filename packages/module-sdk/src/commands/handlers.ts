import type { OperationName, OperationResult, OperationWire } from '@tabletop-relay/contract';

/** The parameters of an operation under the names that they have in a command's frame. */
export type WireParameters<N extends OperationName> = OperationWire<N>;

/** The facts about a command that a handler gets beside its parameters. */
export interface CommandContext {
  requestId: string;
  /** The tabletop user (id or name) to act as; absent means GM-level access. */
  userId: string | undefined;
  /** Aborted when nobody waits for the answer any more: the caller left, or the connection is gone. */
  signal: AbortSignal;
}

/** Answers one operation with the fields of its result; refuse with `OperationRefused`. */
export type Handler<N extends OperationName> = (
  parameters: WireParameters<N>,
  context: CommandContext,
) => OperationResult<N> | Promise<OperationResult<N>>;

/** The operations that a world answers; others are refused as `not_supported`. */
export type Handlers = { [N in OperationName]?: Handler<N> };
