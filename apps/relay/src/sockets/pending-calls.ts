import type { Operation } from '@tabletop-relay/contract';
import { ProblemError } from '../problem.ts';
import type { Deadline } from './deadlines.ts';

/** A command that was sent down a socket, until its reply, its deadline or the socket's end. */
export interface PendingCall {
  readonly requestId: string;
  readonly operation: Operation;
  resolve(body: Buffer): void;
  reject(problem: ProblemError): void;
  deadline?: Deadline;
}

/**
 * The calls in flight on one socket, by the ids that this socket was given: a reply can reach no other call.
 * An id is never given twice on one socket, so that a late reply finds nobody.
 */
export class PendingCalls {
  readonly #byId = new Map<string, PendingCall>();
  #lastMs = 0;
  #idle: (() => void) | undefined;

  get size(): number {
    return this.#byId.size;
  }

  /** `<operation>_<epoch ms>`: the current millisecond, or the next one that was not given yet. */
  nextId(operation: string): string {
    this.#lastMs = Math.max(Date.now(), this.#lastMs + 1);
    return `${operation}_${this.#lastMs}`;
  }

  add(call: PendingCall): void {
    this.#byId.set(call.requestId, call);
  }

  get(requestId: string): PendingCall | undefined {
    return this.#byId.get(requestId);
  }

  /** Takes the call out: whoever takes it settles it. */
  take(requestId: string): PendingCall | undefined {
    const call = this.#byId.get(requestId);
    if (!call) return undefined;
    this.#byId.delete(requestId);
    call.deadline?.cancel();
    if (this.#byId.size === 0) this.#idle?.();
    return call;
  }

  /** Resolves when no call is in flight, or after `withinMs` anyway. */
  whenIdle(withinMs: number): Promise<void> {
    if (this.#byId.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, withinMs);
      this.#idle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Fails all calls at once; their outcome is unknown. */
  failAll(detail: string): void {
    for (const requestId of this.#byId.keys()) {
      this.take(requestId)?.reject(new ProblemError('client_lost', detail, { requestId }));
    }
  }
}
