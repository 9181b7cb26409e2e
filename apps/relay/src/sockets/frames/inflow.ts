import type { WebSocket } from 'ws';
import type { Deadlines } from '../deadlines.ts';

/** How much one module may send: a burst, and a rate that it may keep up. */
export interface InflowLimits {
  bytesPerSecond: number;
  burstBytes: number;
  framesPerSecond: number;
  burstFrames: number;
  /** A module that stays above its rates for this time is disconnected. */
  patienceMs: number;
}

export interface InflowContext {
  ws: WebSocket;
  deadlines: Deadlines;
  limits: InflowLimits;
  onHold(stage: HoldStage): void;
}

/**
 * The stages of a hold, in which the socket is not read. `too long` means that the module stayed above its rates for
 * `patienceMs`; the socket is not read any more.
 */
export type HoldStage = 'begins' | 'goes on' | 'too long';

/** What no call waited for may take this part of the burst: a world's answers need the rest at the same time. */
const unaskedShare = 1 / 4;

/** A hold lasts until the buckets have refilled for this time, because pausing for single frames costs more than handling them. */
const shareMs = 100;

/**
 * Reads a module that sends faster than its rates more slowly, instead of closing it: TCP then makes it wait, and its
 * other calls live. Three token buckets, refilled only when one is empty: a frame costs one subtraction and no look at
 * the clock. So up to two bursts may come in quick succession. What was read when a bucket ran empty, a chunk of
 * 64 KiB at most, is still handled. It leaves the bucket below zero, and the module waits until that is made good.
 */
export class Inflow {
  /** The socket is not read at the moment, so its silence does not mean that the module is gone. */
  isHeld = false;
  #bytes: number;
  #unaskedBytes: number;
  #frames: number;
  #refilledAt = performance.now();
  /** The begin of the first hold of this row. A row ends when the module has sent below its rates for a while. */
  #tooFastSince: number | undefined;
  readonly #context: InflowContext;

  constructor(context: InflowContext) {
    this.#context = context;
    this.#bytes = context.limits.burstBytes;
    this.#unaskedBytes = unaskedShare * context.limits.burstBytes;
    this.#frames = context.limits.burstFrames;
  }

  /** Bytes that came in. */
  countBytes(bytes: number): void {
    if ((this.#bytes -= bytes) < 0) this.#holdUnlessRefilled();
  }

  /** A frame that no call waited for, and the bytes that its work is worth: replies are bounded by their calls. */
  countUnasked(bytes: number): void {
    this.#unaskedBytes -= bytes;
    if (--this.#frames < 0 || this.#unaskedBytes < 0) this.#holdUnlessRefilled();
  }

  #holdUnlessRefilled(): void {
    const { ws, deadlines, limits, onHold } = this.#context;
    // The admission resumes reading when its checks end, even during a hold.
    if (this.isHeld) return ws.pause();
    const now = performance.now();
    this.#refill(now);
    if (this.#hasShare()) this.#tooFastSince = undefined;
    if (this.#debtMs() === 0) return;
    this.isHeld = true;
    ws.pause();
    const since = this.#tooFastSince;
    if (since !== undefined && now - since >= limits.patienceMs) return onHold('too long');
    onHold(since === undefined ? 'begins' : 'goes on');
    this.#tooFastSince ??= now;
    deadlines.add(this.#debtMs() + shareMs, () => this.#release());
  }

  #release(): void {
    this.#refill(performance.now());
    const debtMs = this.#debtMs();
    if (debtMs > 0) {
      // The chunk that emptied the bucket had more frames, which were counted during the hold.
      this.#context.deadlines.add(debtMs + shareMs, () => this.#release());
      return;
    }
    this.isHeld = false;
    this.#context.ws.resume();
  }

  /** Whether the module has sent below its rates for a while. Then the refill is larger than that of a hold. */
  #hasShare(): boolean {
    const { bytesPerSecond, burstBytes, framesPerSecond, burstFrames } = this.#context.limits;
    const seconds = shareMs / 1_000;
    return (
      this.#bytes >= Math.min(burstBytes, seconds * bytesPerSecond) &&
      this.#unaskedBytes >= Math.min(unaskedShare * burstBytes, seconds * bytesPerSecond) &&
      this.#frames >= Math.min(burstFrames, seconds * framesPerSecond)
    );
  }

  #debtMs(): number {
    const { bytesPerSecond, framesPerSecond } = this.#context.limits;
    const bytes = Math.min(this.#bytes, this.#unaskedBytes);
    return 1_000 * Math.max(0, -bytes / bytesPerSecond, -this.#frames / framesPerSecond);
  }

  #refill(now: number): void {
    const { bytesPerSecond, burstBytes, framesPerSecond, burstFrames } = this.#context.limits;
    const seconds = (now - this.#refilledAt) / 1_000;
    this.#refilledAt = now;
    this.#bytes = Math.min(burstBytes, this.#bytes + seconds * bytesPerSecond);
    this.#unaskedBytes = Math.min(unaskedShare * burstBytes, this.#unaskedBytes + seconds * bytesPerSecond);
    this.#frames = Math.min(burstFrames, this.#frames + seconds * framesPerSecond);
  }
}
