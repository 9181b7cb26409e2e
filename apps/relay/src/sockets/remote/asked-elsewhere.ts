import type { TokenPrincipal } from '../../worlds/authenticate-token.ts';

/** A request of a module to another world that is not answered yet. */
export interface RunningRequest {
  /** The module is gone: nobody waits for the answer. */
  abandon(): void;
  /** The rights of the module's token have changed. */
  recheck(principal: TokenPrincipal): void;
}

/** The requests to other worlds that came up one socket. They end with it. */
export class AskedElsewhere {
  /** Made at the first request, so that ten thousand worlds that ask nothing stay small. */
  #running: Set<RunningRequest> | undefined;
  #idle: (() => void) | undefined;

  get size(): number {
    return this.#running?.size ?? 0;
  }

  add(request: RunningRequest): void {
    (this.#running ??= new Set()).add(request);
  }

  delete(request: RunningRequest): void {
    this.#running?.delete(request);
    if (this.size === 0) this.#idle?.();
  }

  abandonAll(): void {
    for (const request of this.#running ?? []) request.abandon();
  }

  recheckAll(principal: TokenPrincipal): void {
    for (const request of this.#running ?? []) request.recheck(principal);
  }

  /** Resolves when none runs. */
  whenIdle(): Promise<void> {
    if (this.size === 0) return Promise.resolve();
    return new Promise((resolve) => (this.#idle = resolve));
  }
}
