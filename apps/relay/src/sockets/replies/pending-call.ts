import type { Operation } from '@tabletop-relay/contract';
import { ProblemError } from '../../problem.ts';
import type { KeyedSending } from './sent-keys.ts';
import type { AwaitedReply, WorldReply } from './settle-reply.ts';

/** A command for a module. It is pending until its reply, its deadline or the end of the socket. */
export class PendingCall implements AwaitedReply {
  readonly requestId: string;
  readonly operation: Operation;
  /** The key that asks; undefined for a module. */
  readonly keyId: string | undefined;
  readonly keyed: KeyedSending | undefined;
  readonly reply: Promise<WorldReply>;
  deadline: NodeJS.Timeout | undefined;
  /** The frame, where it waits to be sent, and by when it must be: by the wall clock, which goes on while the machine sleeps. */
  unsent: { text: string; beforeMs: number } | undefined;
  readonly #settle: PromiseWithResolvers<WorldReply>;
  #sentAt: number | undefined;
  #worldMs: number | undefined;

  constructor(requestId: string, operation: Operation, keyId?: string, keyed?: KeyedSending) {
    this.requestId = requestId;
    this.operation = operation;
    this.keyId = keyId;
    this.keyed = keyed;
    this.#settle = Promise.withResolvers();
    this.reply = this.#settle.promise;
  }

  start(): void {
    this.#sentAt = performance.now();
  }

  /** Ends the time of the world, and answers with it in milliseconds. Undefined where the command was not sent. */
  stop(): number | undefined {
    if (this.#sentAt === undefined) return undefined;
    this.#worldMs = Math.round((performance.now() - this.#sentAt) * 1_000) / 1_000;
    return this.#worldMs;
  }

  resolve(reply: WorldReply): void {
    reply.worldMs = this.#worldMs;
    this.#settle.resolve(reply);
  }

  reject(problem: ProblemError): void {
    problem.worldMs = this.#worldMs;
    this.#settle.reject(problem);
  }
}

export const moving = (): ProblemError =>
  new ProblemError('unavailable', 'The world is just moving. Nothing was sent; repeat the call.');

export function unanswered({ operation }: PendingCall): ProblemError {
  const why = `The world has answered none of the calls of ${operation.name} that were sent before`;
  return new ProblemError('overloaded', `${why}. Nothing was sent; repeat the call.`);
}
