import type { ReplyBegin } from '../../message.ts';
import type { BulkBounds } from './bulk-bounds.ts';

/** A reply that comes in chunks, as far as it has come. Times are in ms on the monotonic clock. */
export class ReceivingReply {
  readonly begin: ReplyBegin;
  readonly body: Buffer;
  readonly #bounds: Pick<BulkBounds, 'windowBytes' | 'stallMs'>;
  /** What has come, and what the owner was asked for. Both are counted from the first byte. */
  #received = 0;
  #upTo = 0;
  #movedAt = performance.now();
  #askedAt = 0;

  constructor(begin: ReplyBegin, bounds: Pick<BulkBounds, 'windowBytes' | 'stallMs'>) {
    this.begin = begin;
    this.body = Buffer.allocUnsafeSlow(begin.bytes);
    this.#bounds = bounds;
  }

  get isWhole(): boolean {
    return this.#received === this.begin.bytes;
  }

  /** Nothing came for so long that nothing more is expected. */
  isStalled(now: number): boolean {
    return now - this.#movedAt >= this.#bounds.stallMs;
  }

  /** It is time to ask for more, or to ask again because the request may have been lost. */
  needsAsking(now: number): boolean {
    if (this.#upTo - this.#received <= this.#bounds.windowBytes / 2 && this.#upTo < this.begin.bytes)
      return true;
    return now - Math.max(this.#movedAt, this.#askedAt) >= askAgainMs;
  }

  /** How far the owner may send from now on. */
  ask(now: number): number {
    this.#askedAt = now;
    this.#upTo = Math.min(this.begin.bytes, this.#received + this.#bounds.windowBytes);
    return this.#upTo;
  }

  /** Takes a chunk. One that came before is ignored. Answers false when a part is missing between. */
  take(offset: number, bytes: Buffer): boolean {
    if (offset < this.#received) return true;
    if (offset > this.#received || offset + bytes.length > this.begin.bytes) return false;
    bytes.copy(this.body, offset);
    this.#received += bytes.length;
    this.#movedAt = performance.now();
    return true;
  }
}

const askAgainMs = 1_000;
