import type { OperationName, OperationResult } from '@tabletop-relay/contract';
import type { WorldAction } from './actions.ts';
import { initialState } from './content/initial-state.ts';
import { performAction } from './perform-action.ts';
import { findUser } from './operations/find.ts';
import type { OperationHandler } from './operations/handler.ts';
import { operationHandlers } from './operations/index.ts';
import { readParameters } from './operations/parameters.ts';
import { createRandom } from './rules/rolls/random.ts';
import { settle } from './settle.ts';
import type { CallRecord, WorldState } from './state.ts';
import type { Transaction } from './transaction.ts';

/** One step of the world: the states before and after it, and which parts were replaced. */
export interface WorldChange {
  before: WorldState;
  state: WorldState;
  parts: readonly (keyof WorldState)[];
}

export interface World {
  state(): WorldState;
  /** Called after each change, in order; returns what ends the subscription. */
  subscribe(listener: (change: WorldChange) => void): () => void;
  /**
   * Answers one operation as the user (id or name), or with a GM's access without one. Throws a `Refusal`, and
   * nothing else, when the world says no; then nothing has changed.
   */
  answer<N extends OperationName>(
    operation: N,
    parameters: unknown,
    as?: { userId?: string | undefined },
  ): OperationResult<N>;
  /** Like `answer`, and keeps the call in `state.calls`. */
  receive<N extends OperationName>(call: IncomingCall<N>): OperationResult<N>;
  /** Carries out an action from the page, as the GM. Throws a `Refusal` when it can't be done. */
  perform(action: WorldAction): void;
}

export interface IncomingCall<N extends OperationName = OperationName> {
  requestId: string;
  operation: N;
  parameters: unknown;
  userId?: string | undefined;
}

export interface WorldOptions {
  /** The same seed and the same calls give the same rolls; without one they are random. */
  seed?: number | undefined;
  /** Epoch milliseconds. */
  now?: () => number;
  state?: WorldState;
}

const callsKept = 50;

/** A world in memory, on its own: it connects to nothing. */
export function createWorld({ seed, now = Date.now, state = initialState }: WorldOptions = {}): World {
  const random = createRandom(seed);
  const listeners = new Set<(change: WorldChange) => void>();
  let current = state;

  const commit = (next: WorldState): void => {
    const before = current;
    const parts = (Object.keys(next) as (keyof WorldState)[]).filter((part) => next[part] !== before[part]);
    if (parts.length === 0) return;
    current = next;
    const change = { before, state: next, parts };
    for (const listener of listeners) listener(change);
  };

  const step = <R>(userId: string | undefined, run: (tx: Transaction) => R): R => {
    const user = userId === undefined ? null : findUser(current, userId);
    const tx: Transaction = { state: current, random, now: now(), user };
    const result = run(tx);
    commit(settle(current, tx.state));
    return result;
  };

  const answer: World['answer'] = (operation, parameters, { userId } = {}) =>
    step(userId, (tx) => handle(tx, operation, parameters));

  return {
    state: () => current,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    answer,
    receive({ requestId, operation, parameters, userId }) {
      const call: CallRecord = {
        requestId,
        operation,
        at: now(),
        outcome: 'running',
        ...(userId !== undefined && { userId }),
      };
      const startedAt = performance.now();
      const record = (outcome: Pick<CallRecord, 'outcome' | 'error'>): void => {
        const tookMs = performance.now() - startedAt;
        const calls = [...current.calls, { ...call, tookMs, ...outcome }].slice(-callsKept);
        commit({ ...current, calls });
      };
      try {
        const result = answer(operation, parameters, { userId });
        record({ outcome: 'answered' });
        return result;
      } catch (error) {
        record({ outcome: 'refused', error: error instanceof Error ? error.message : String(error) });
        throw error;
      }
    },
    perform: (action) => step(undefined, (tx) => performAction(tx, action)),
  };
}

/** Answers one operation within a step. */
function handle<N extends OperationName>(
  tx: Transaction,
  operation: N,
  parameters: unknown,
): OperationResult<N> {
  const read = readParameters(operation, parameters);
  const handler: OperationHandler<N> = operationHandlers[operation];
  return handler(tx, read);
}
