import type { Budget } from '@tabletop-relay/kit';
import type { Reply } from '../../cluster.ts';
import { writeMessage } from '../../message.ts';
import type { Message, ReplyBegin } from '../../message.ts';
import type { BulkBounds } from '../bulk-bounds.ts';
import { keys } from '../keys.ts';
import type { RedisShard } from '../shard/shard.ts';

/** A call of the asker, as far as a large reply to it needs it. */
export interface ReceivingCall {
  readonly id: number;
  readonly accountId: string;
  deadline: number;
  failAt: number;
  owner: string;
  hasBegun: boolean;
  dropReply: (() => void) | undefined;
}

/** What the asker does with such a call. */
export interface ReceivingCalls<Call extends ReceivingCall> {
  succeed(call: Call, reply: Reply): void;
  lose(call: Call, why: string): void;
}

/** The replies to this instance that come in chunks, on one shard. */
export interface IncomingReplies<Call extends ReceivingCall> {
  /** A reply was announced. Its call waits until it is whole, until it is lost, or for `transferMs` at most. */
  begin(call: Call, begin: ReplyBegin): void;
  onChunk(chunk: Extract<Message, { kind: 'chunk' }>): void;
  /** The subscription was lost, and with it the replies that are coming. */
  onLost(): void;
  /** To be called now and then while calls wait. Asks again for what did not come, and gives up what stays away. */
  sweep(now: number): void;
}

export interface IncomingRepliesOptions<Call extends ReceivingCall> {
  boot: string;
  shard: RedisShard;
  calls: ReceivingCalls<Call>;
  /** The bytes of all accounts that have come, or are coming, and that their callers have not read yet. */
  room: Budget;
  bounds: BulkBounds;
}

/** A reply on one of the channels. */
interface Active<Call extends ReceivingCall> {
  readonly call: Call;
  readonly channel: number;
  readonly reply: ReceivingReply;
  readonly giveBack: () => void;
}

export function createIncomingReplies<Call extends ReceivingCall>(
  options: IncomingRepliesOptions<Call>,
): IncomingReplies<Call> {
  const { boot, shard, calls, bounds } = options;

  const askFor = ({ call, channel, reply }: Active<Call>): void => {
    const upTo = reply.ask(performance.now());
    const message = writeMessage('credit', { asker: boot, callId: call.id, channel, upTo });
    shard.send('publish', [keys.commands(reply.begin.owner), message]).catch(() => {});
  };
  const line = createChannelLine(options, askFor);

  const receive = (active: Active<Call>, offset: number, bytes: Buffer): void => {
    const { call, reply, giveBack } = active;
    if (!reply.take(offset, bytes)) return calls.lose(call, 'a part of the reply is missing');
    if (reply.isWhole) {
      line.leave(active);
      const { begin, body } = reply;
      calls.succeed(call, { head: begin.head, body, release: giveBack });
    } else if (reply.needsAsking(performance.now())) askFor(active);
  };

  return {
    begin: (call, begin) => {
      // An answer that nobody seemed to hear is published again.
      if (call.dropReply) return;
      call.deadline = performance.now() + bounds.transferMs;
      call.hasBegun = true;
      // What was broken on the way of the call did not keep it from its owner.
      call.failAt = Infinity;
      // The owner is known from its reply, even if the answer of the look-up is lost: it is told where nobody waits.
      call.owner ||= begin.owner;
      line.join(call, begin);
    },
    onChunk: ({ callId, offset, body }) => {
      const active = line.of(callId);
      // None where the chunk is late: its call waits no more.
      if (active) receive(active, offset, body);
    },
    onLost: () => {
      for (const { call } of line.all()) calls.lose(call, 'the subscription to the reply was lost');
    },
    sweep: (now) => {
      line.advance();
      const coming = [...line.all()];
      const stalled = coming.filter(({ reply }) => reply.isStalled(now));
      // Where none goes on the subscription may be dead without a word, so that the next replies would stall too.
      if (stalled.length > 0 && stalled.length === coming.length) shard.bulk.distrust();
      for (const { call } of stalled) calls.lose(call, 'the reply did not go on');
      for (const active of line.all()) if (active.reply.needsAsking(now)) askFor(active);
    },
  };
}

/**
 * Lends the channels, and the room for the bytes, to the replies in the order in which they were announced. Accounts that
 * have their share already are passed over.
 */
function createChannelLine<Call extends ReceivingCall>(
  { shard, room, bounds }: IncomingRepliesOptions<Call>,
  onStart: (active: Active<Call>) => void,
) {
  const waiting = new Map<Call, ReplyBegin>();
  const byChannel = new Map<number, Active<Call>>();

  const leave = ({ call, channel }: Active<Call>): void => {
    byChannel.delete(channel);
    call.dropReply = undefined;
    advance();
  };

  const start = (call: Call, begin: ReplyBegin, channel: number, giveBack: () => void): void => {
    const active = { call, channel, giveBack, reply: new ReceivingReply(begin, bounds) };
    byChannel.set(channel, active);
    call.dropReply = () => {
      leave(active);
      // Chunks that still come find no reply to belong to.
      giveBack();
    };
    onStart(active);
  };

  const hasShare = (accountId: string): boolean => {
    const own = [...byChannel.values()].filter(({ call }) => call.accountId === accountId);
    return own.length * 2 >= bounds.channels;
  };

  const advance = (): void => {
    for (const [call, begin] of waiting) {
      const channel = firstFree(byChannel, bounds.channels);
      if (channel === undefined || !shard.bulk.isListening()) return;
      const { accountId } = call;
      const giveBack = hasShare(accountId)
        ? undefined
        : room.take([{ of: accountId, most: bounds.incomingBytesPerAccount }], begin.bytes);
      if (!giveBack) continue;
      waiting.delete(call);
      start(call, begin, channel, giveBack);
    }
  };
  room.onFreed(advance);

  return {
    join: (call: Call, begin: ReplyBegin): void => {
      waiting.set(call, begin);
      call.dropReply = () => waiting.delete(call);
      advance();
    },
    leave,
    advance,
    of: (callId: number): Active<Call> | undefined =>
      [...byChannel.values()].find(({ call }) => call.id === callId),
    all: (): Iterable<Active<Call>> => byChannel.values(),
  };
}

function firstFree(taken: ReadonlyMap<number, unknown>, count: number): number | undefined {
  for (let channel = 0; channel < count; channel++) if (!taken.has(channel)) return channel;
  return undefined;
}

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
