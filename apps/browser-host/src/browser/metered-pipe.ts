import type { ConnectOverCDPTransport } from 'playwright-core';
import type { Readable, Writable } from 'node:stream';

/** What a browser may tell its host. All that a page makes there arrives as a message: console, requests, errors, dialogs, windows, workers. */
export interface PipeBounds {
  /** Messages a second, over time; and so many at once, as at the load of a page. */
  messagesPerSecond: number;
  messagesAtOnce: number;
  /** UTF-8 of messages, the same way. */
  bytesPerSecond: number;
  bytesAtOnce: number;
  maxMessageBytes: number;
}

/**
 * A tabletop asks for some thousand files when it loads, each is eight messages, and its world comes in one frame of a socket. An
 * answer of 16 MiB to a call takes at most three times as much as text of a message.
 */
const pipeBounds: PipeBounds = {
  messagesPerSecond: 1_000,
  messagesAtOnce: 20_000,
  bytesPerSecond: 8 * 1_048_576,
  bytesAtOnce: 256 * 1_048_576,
  maxMessageBytes: 64 * 1_048_576,
};

export interface Pipe {
  /** What is written is for the browser. */
  input: Writable;
  output: Readable;
}

/**
 * The debugging pipe of a Chromium: JSON texts, each ended by NUL. What comes is counted before it is read, and no more is taken out of
 * the pipe while some waits to be dispatched. The first bound that is passed is told to `onFlood`, and nothing is dispatched after it.
 */
export function createMeteredPipe(
  { input, output }: Pipe,
  {
    bounds = pipeBounds,
    onFlood,
    now = () => performance.now(),
  }: { bounds?: PipeBounds; onFlood(what: string): void; now?: () => number },
): ConnectOverCDPTransport {
  const split = createSplitter(bounds.maxMessageBytes);
  const floodOf = createMeter(bounds, now);
  const waiting: Buffer[] = [];
  let isOpen = true;

  const transport: ConnectOverCDPTransport = {
    send(message) {
      if (isOpen) input.write(`${JSON.stringify(message)}\0`);
    },
    close() {
      output.destroy();
    },
  };

  function take(chunk: Buffer): void {
    if (!isOpen) return;
    const arrived = split(chunk);
    if (!arrived) return refuse(`one message of more than ${inMib(bounds.maxMessageBytes)} ${toHost}`);
    for (const message of arrived) {
      const flood = floodOf(message);
      if (flood !== undefined) return refuse(flood);
      if (message.length <= maxLineBytes || !isConsoleLine(message)) waiting.push(message);
    }
    if (waiting.length === 0) return;
    output.pause();
    setImmediate(dispatch);
  }

  /** Each in a turn of its own: other sessions have theirs between, and Playwright expects it so. */
  function dispatch(): void {
    const message = isOpen ? waiting.shift() : undefined;
    if (message === undefined) return void output.resume();
    setImmediate(dispatch);
    try {
      transport.onmessage?.(JSON.parse(message.toString()) as object);
    } catch (error) {
      // What Playwright cannot take ends this browser, and not the process with all others.
      output.destroy(error as Error);
    }
  }

  function refuse(what: string): void {
    isOpen = false;
    waiting.length = 0;
    onFlood(what);
    // In another turn, so that the reason is known before Playwright tells that all is gone.
    setImmediate(() => output.destroy());
  }

  output.on('data', take);
  output.once('close', () => {
    isOpen = false;
    transport.onclose?.();
  });
  for (const end of [input, output]) end.on('error', () => output.destroy());
  return transport;
}

/** Joins what comes in pieces to messages. Answers undefined where one is larger than it may be. */
function createSplitter(maxMessageBytes: number): (chunk: Buffer) => Buffer[] | undefined {
  let begun: Buffer[] = [];
  let begunBytes = 0;
  return (chunk) => {
    const whole: Buffer[] = [];
    for (let from = 0; from < chunk.length;) {
      const end = chunk.indexOf(0, from);
      const part = chunk.subarray(from, end < 0 ? chunk.length : end);
      from += part.length + 1;
      begun.push(part);
      begunBytes += part.length;
      if (begunBytes > maxMessageBytes) return undefined;
      if (end < 0) break;
      whole.push(begun.length === 1 ? part : Buffer.concat(begun));
      begun = [];
      begunBytes = 0;
    }
    return whole;
  };
}

const toHost = 'to its browser’s host';

/** Counts messages and their bytes, and answers which of the two are too many. */
function createMeter(bounds: PipeBounds, now: () => number): (message: Buffer) => string | undefined {
  const messages = createAllowance(bounds.messagesPerSecond, bounds.messagesAtOnce, now);
  const bytes = createAllowance(bounds.bytesPerSecond, bounds.bytesAtOnce, now);
  return ({ length }) => {
    if (!messages.spend(1)) return `more than ${bounds.messagesPerSecond} messages a second ${toHost}`;
    return bytes.spend(length) ? undefined : `more than ${inMib(bounds.bytesPerSecond)} a second ${toHost}`;
  };
}

/** Playwright keeps the last 200 lines of a page's console, whole. Longer ones are left out. */
const maxLineBytes = 65_536;
const consoleLine = /^\{"method":"(?:Runtime\.(?:consoleAPICalled|exceptionThrown)|Log\.entryAdded)"/;

const isConsoleLine = (message: Buffer) => consoleLine.test(message.toString('latin1', 0, 60));

/** So many at once, and so many a second on average. */
function createAllowance(perSecond: number, atOnce: number, now: () => number) {
  let left = atOnce;
  let at = now();
  return {
    spend(count: number): boolean {
      const time = now();
      left = Math.min(atOnce, left + ((time - at) / 1000) * perSecond) - count;
      at = time;
      return left >= 0;
    },
  };
}

const inMib = (count: number) => `${Math.round(count / 1_048_576)} MiB`;
