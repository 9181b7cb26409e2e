import type { Reply } from '../../cluster.ts';
import type { AnswerOutbox } from './answer-outbox.ts';
import { keys } from '../keys.ts';
import type { Traffic } from '../traffic.ts';
import { countMessage } from '../traffic.ts';
import type { BulkLink } from '../shard/bulk-link.ts';
import type { CallAddress, Credit } from '../../message.ts';
import { writeMessage } from '../../message.ts';
import type { BulkBounds } from '../bulk-bounds.ts';

/** The replies of this instance that are too large for one message, on one shard. */
export interface OutgoingReplies {
  /** Announces a reply to its asker, which asks for the chunks. Calls `release` when they have left, or never will. */
  send(to: CallAddress, reply: Reply): void;
  /** The asker has room for more. Has no effect when it was known already, or when the reply has ended. */
  onCredit(credit: Credit): void;
  /** The asker no longer waits. */
  cancel(to: CallAddress): void;
  isEmpty(): boolean;
  /** Resolves when no reply is on its way. */
  whenEmpty(): Promise<void>;
  stop(): void;
}

interface Outgoing {
  readonly to: CallAddress;
  readonly body: Buffer;
  readonly release: () => void;
  /** Monotonic time in ms after which nobody waits for it. */
  readonly lateAt: number;
  /** Ends it where the asker does not: its word that it no longer waits may be lost. */
  timer: NodeJS.Timeout;
  channel: number;
  /** What the asker has room for, and what was published. Both are counted from the first byte of the body. */
  upTo: number;
  published: number;
}

export interface OutgoingRepliesOptions {
  boot: string;
  bulk: BulkLink;
  outbox: AnswerOutbox;
  bounds: BulkBounds;
  traffic: Traffic;
}

export function createOutgoingReplies(options: OutgoingRepliesOptions): OutgoingReplies {
  const { boot, outbox, bounds } = options;
  const replies = new Map<string, Outgoing>();
  let onEmpty = (): void => {};

  const end = (reply: Outgoing): void => {
    if (!replies.delete(nameOf(reply.to))) return;
    clearTimeout(reply.timer);
    reply.release();
    if (replies.size === 0) onEmpty();
  };

  const pump = createPump(options, replies, end);
  const endAfter = (reply: Outgoing, ms: number): void => {
    clearTimeout(reply.timer);
    reply.timer = setTimeout(() => end(reply), Math.min(ms, reply.lateAt - performance.now()));
  };

  return {
    send: (to, { head, body, release = () => {} }) => {
      const reply: Outgoing = {
        to,
        body,
        release,
        lateAt: performance.now() + bounds.transferMs,
        timer: setTimeout(() => end(reply), bounds.transferMs),
        channel: 0,
        upTo: 0,
        published: 0,
      };
      replies.set(nameOf(to), reply);
      outbox.send(to, { kind: 'begin', head, owner: boot, bytes: body.length }, (hasLeft) => {
        if (!hasLeft) end(reply);
      });
    },
    onCredit: (credit) => {
      const reply = replies.get(nameOf(credit));
      if (!reply) return;
      // An asker that is being sent to asks again each second. One that is silent for so long has given up.
      endAfter(reply, bounds.stallMs);
      if (credit.upTo <= reply.upTo) return;
      reply.channel = credit.channel;
      reply.upTo = Math.min(credit.upTo, reply.body.length);
      pump();
    },
    cancel: (to) => {
      const reply = replies.get(nameOf(to));
      if (reply) end(reply);
    },
    isEmpty: () => replies.size === 0,
    whenEmpty: () =>
      new Promise((resolve) => {
        onEmpty = resolve;
        if (replies.size === 0) resolve();
      }),
    stop: () => replies.forEach((reply) => end(reply)),
  };
}

const nameOf = ({ asker, callId }: CallAddress): string => `${asker}:${callId}`;

/** Publishes one chunk of each reply in turn, as long as Redis keeps up. */
function createPump(
  { bulk, bounds, traffic }: OutgoingRepliesOptions,
  replies: Map<string, Outgoing>,
  end: (reply: Outgoing) => void,
): () => void {
  let unanswered = 0;

  const publishChunk = async (reply: Outgoing): Promise<void> => {
    const { to, body, published: from } = reply;
    const until = Math.min(from + bounds.chunkBytes, reply.upTo);
    reply.published = until;
    unanswered += until - from;
    const chunk = writeMessage('chunk', { callId: to.callId, offset: from }, body.subarray(from, until));
    countMessage(traffic.published.chunk, chunk.length);
    const heard = await bulk
      .send<number>('publish', [keys.bulk(to.asker, reply.channel), chunk])
      .catch(() => 0);
    unanswered -= until - from;
    // A chunk that is missing cannot be made up for: the asker has noticed, or notices when nothing more comes.
    // Redis answers in order, so with the last chunk it has all of them.
    if (heard === 0 || until === body.length) end(reply);
    pump();
  };

  const pump = (): void => {
    // A reply goes to the end with each chunk, where this loop meets it again.
    for (const [name, reply] of replies) {
      if (unanswered >= bounds.unansweredBytes) return;
      if (reply.published >= reply.upTo) continue;
      replies.delete(name);
      replies.set(name, reply);
      void publishChunk(reply);
    }
  };
  return pump;
}
