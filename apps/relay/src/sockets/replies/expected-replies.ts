import { smallReplyBytes } from './reply-bytes.ts';

/** Calls of an operation that are sent before the module's first reply to it. */
const sentBeforeFirstReply = 8;

/**
 * What the replies to one module's calls in flight will take, judged by the last reply to each operation. Without it as
 * many large replies as calls in flight could be on their way, and most would come after their callers' time-out.
 */
export class ExpectedReplies {
  /** By operation: the size of the last reply where it was large, zero where it was small. */
  readonly #lastBytes = new Map<string, number>();
  readonly #inFlight = new Map<string, number>();

  /** Whether a further call may be sent. One call always may. */
  hasRoomFor(operation: string, limit: number): boolean {
    const bytes = this.#lastBytes.get(operation) ?? 0;
    if (bytes === 0) return true;
    const expected = this.#expectedBytes();
    return expected === 0 || expected + bytes <= limit;
  }

  /** Whether so many calls were sent ahead that a further one waits for the first reply to the operation. */
  areUnknownOf(operation: string): boolean {
    return !this.#lastBytes.has(operation) && (this.#inFlight.get(operation) ?? 0) >= sentBeforeFirstReply;
  }

  start(operation: string): void {
    this.#inFlight.set(operation, (this.#inFlight.get(operation) ?? 0) + 1);
  }

  end(operation: string): void {
    this.#inFlight.set(operation, (this.#inFlight.get(operation) ?? 1) - 1);
  }

  learn(operation: string, bytes: number): void {
    this.#lastBytes.set(operation, bytes > smallReplyBytes ? bytes : 0);
  }

  #expectedBytes(): number {
    let expected = 0;
    for (const [operation, bytes] of this.#lastBytes)
      expected += bytes * (this.#inFlight.get(operation) ?? 0);
    return expected;
  }
}
