/** By the channels that they go over: commands to owners, answers to askers, parts of large answers, news to all. */
export const messageKinds = ['command', 'answer', 'chunk', 'broadcast'] as const;

export type MessageKind = (typeof messageKinds)[number];

interface Count {
  messages: number;
  bytes: number;
}

/**
 * What one instance has sent to and heard from the others over Redis since its start. Plain numbers that somebody reads now and
 * then, so that a call pays for a few additions and nothing else.
 */
export interface Traffic {
  readonly published: Readonly<Record<MessageKind, Count>>;
  /** Commands are counted without the frames about them, such as cancels and heartbeats. */
  readonly received: Readonly<Record<MessageKind, Count>>;
  /** Answers that no subscriber received when they were published. Each is published again. */
  unheard: number;
  /** Answers that came when their call waited no more. */
  late: number;
  /** Calls that got a reply, and the milliseconds between call and reply. */
  answered: number;
  answeredMs: number;
  /** Questions that wait now. */
  waiting: () => number;
  /** Bytes of large answers that have come, or are coming, and were not read yet. */
  heldBytes: () => number;
}

export function createTraffic(): Traffic {
  return {
    published: noCounts(),
    received: noCounts(),
    unheard: 0,
    late: 0,
    answered: 0,
    answeredMs: 0,
    waiting: () => 0,
    heldBytes: () => 0,
  };
}

export function countMessage(count: Count, bytes: number): void {
  count.messages += 1;
  count.bytes += bytes;
}

function noCounts(): Record<MessageKind, Count> {
  const none = (): Count => ({ messages: 0, bytes: 0 });
  return { command: none(), answer: none(), chunk: none(), broadcast: none() };
}
