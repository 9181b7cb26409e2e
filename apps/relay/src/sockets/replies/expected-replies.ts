import { smallReplyBytes } from './reply-bytes.ts';

/**
 * What the replies to one module's calls in flight will take, judged by the last reply to each operation. Without it as
 * many large replies as calls in flight could be on their way, and most would come after their callers' time-out.
 */
export class ExpectedReplies {
  /** Of the operations whose last reply was large. */
  readonly #lastBytes = new Map<string, number>();
  #bytes = 0;

  /** Whether a further call may be sent. One call always may. */
  hasRoomFor(operation: string, limit: number): boolean {
    const bytes = this.of(operation);
    return bytes === 0 || this.#bytes === 0 || this.#bytes + bytes <= limit;
  }

  /** Zero for an operation with small replies. */
  of(operation: string): number {
    return this.#lastBytes.get(operation) ?? 0;
  }

  add(bytes: number): void {
    this.#bytes += bytes;
  }

  learn(operation: string, bytes: number): void {
    if (bytes > smallReplyBytes) this.#lastBytes.set(operation, bytes);
    else this.#lastBytes.delete(operation);
  }
}
