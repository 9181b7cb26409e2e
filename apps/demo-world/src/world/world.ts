import type { OperationName, OperationResult } from '@tabletop-relay/contract';
import type { WorldAction } from './actions.ts';
import { initialState } from './content/initial-state.ts';
import { performAction } from './perform-action.ts';
import { findUser } from './operations/find.ts';
import type { OperationHandler, SlowHandler } from './operations/handler.ts';
import { operationHandlers } from './operations/index.ts';
import { readParameters } from './operations/parameters.ts';
import { prepareOperation } from './operations/preparations.ts';
import { isSlow, slowHandlers } from './operations/slow.ts';
import type { QuickOperation } from './operations/slow.ts';
import type { Outside } from './outside.ts';
import { Refusal } from './refusal.ts';
import { createRandom } from './rules/rolls/random.ts';
import { settle } from './settle.ts';
import type { CallRecord } from './call-record.ts';
import type { WorldState } from './state.ts';
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
  answer<N extends QuickOperation>(
    operation: N,
    parameters: unknown,
    as?: { userId?: string | undefined },
  ): OperationResult<N>;
  /** Answers any operation as `answer` does, also one that waits, and keeps the call in `state.calls`. */
  receive<N extends OperationName>(call: IncomingCall<N>): Promise<OperationResult<N>>;
  /** Carries out an action from the page, as the GM. Throws a `Refusal` when it can't be done. */
  perform(action: WorldAction): void;
}

export interface IncomingCall<N extends OperationName = OperationName> {
  requestId: string;
  operation: N;
  parameters: unknown;
  userId?: string | undefined;
  /** What the relay calls the program that asks. */
  program?: string | undefined;
}

export interface WorldOptions {
  /** One seed and one order of calls give one order of rolls. Without a seed they are random. */
  seed?: number | undefined;
  /** Epoch milliseconds. */
  now?: () => number;
  state?: WorldState;
  /** Functions that are not given are refused. */
  outside?: Partial<Outside> | undefined;
}

const callsKept = 50;

const nowhere: Outside = {
  runScript: () => Promise.reject(new Refusal('not_supported', 'This world runs no scripts')),
  paint: () => Promise.reject(new Refusal('not_supported', 'This world paints no pictures')),
};

/** A world in memory, on its own: it connects to nothing. */
export function createWorld(options: WorldOptions = {}): World {
  const { now = Date.now } = options;
  const outside = { ...nowhere, ...options.outside };
  const { state, subscribe, commit, begin, step } = createSteps({ ...options, now });

  const answer: World['answer'] = (operation, parameters, { userId } = {}) =>
    step(userId, (tx) => handle(tx, operation, parameters));

  const answerAny = async <N extends OperationName>(call: IncomingCall<N>): Promise<OperationResult<N>> => {
    const { operation, parameters, userId } = call;
    if (!isSlow(operation)) {
      await prepareOperation(operation);
      return answer(operation, parameters, { userId }) as OperationResult<N>;
    }
    const handler = slowHandlers[operation] as unknown as SlowHandler<N>;
    const finish = await handler(begin(userId), readParameters(operation, parameters) as never, outside);
    return step(userId, finish);
  };

  return {
    state,
    subscribe,
    answer,
    async receive(incoming) {
      const { requestId, operation, userId, program } = incoming;
      const call: CallRecord = {
        requestId,
        operation,
        at: now(),
        outcome: 'running',
        ...(userId !== undefined && { userId }),
        ...(program !== undefined && { program }),
      };
      const startedAt = performance.now();
      const record = (outcome: Pick<CallRecord, 'outcome' | 'error'>): void => {
        const tookMs = performance.now() - startedAt;
        const calls = [...state().calls, { ...call, tookMs, ...outcome }].slice(-callsKept);
        commit({ ...state(), calls });
      };
      try {
        const result = await answerAny(incoming);
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

/** The state of a world, and the steps that replace it. */
function createSteps({ seed, now, state = initialState }: WorldOptions & { now: () => number }) {
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

  const begin = (userId: string | undefined): Transaction => ({
    state: current,
    random,
    now: now(),
    user: userId === undefined ? null : findUser(current, userId),
  });

  return {
    state: () => current,
    subscribe(listener: (change: WorldChange) => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    commit,
    /** A transaction of which nothing counts. */
    begin,
    step<R>(userId: string | undefined, run: (tx: Transaction) => R): R {
      const tx = begin(userId);
      const result = run(tx);
      commit(settle(current, tx.state));
      return result;
    },
  };
}

/** Answers one operation within a step. */
function handle<N extends QuickOperation>(
  tx: Transaction,
  operation: N,
  parameters: unknown,
): OperationResult<N> {
  const read = readParameters(operation, parameters);
  const handler: OperationHandler<N> = operationHandlers[operation];
  return handler(tx, read);
}
