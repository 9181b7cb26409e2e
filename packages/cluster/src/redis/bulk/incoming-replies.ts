import type { CallEndings } from '../calls/call-endings.ts';
import type { WaitingCall, WaitingCalls } from '../calls/waiting-calls.ts';
import { keys } from '../keys.ts';
import type { RedisShard } from '../shard/shard.ts';
import type { Message, ReplyBegin } from '../../message.ts';
import { writeMessage } from '../../message.ts';
import type { BulkBounds } from './bulk-bounds.ts';
import type { IncomingBytes } from './incoming-bytes.ts';
import { ReceivingReply } from './receiving-reply.ts';

/** The replies to this instance that come in chunks, on one shard. */
export interface IncomingReplies {
  /** A reply was announced. Its call waits until it is whole, until it is lost, or for `transferMs` at most. */
  begin(call: WaitingCall, begin: ReplyBegin): void;
  onChunk(chunk: Extract<Message, { kind: 'chunk' }>): void;
  /** The subscription was lost, and with it the replies that are coming. */
  onLost(): void;
  /** To be called now and then while calls wait. Asks again for what did not come, and gives up what stays away. */
  sweep(now: number): void;
}

export interface IncomingRepliesOptions {
  boot: string;
  shard: RedisShard;
  calls: WaitingCalls;
  endings: CallEndings;
  room: IncomingBytes;
  bounds: BulkBounds;
}

/** A reply on one of the channels. */
interface Active {
  readonly call: WaitingCall;
  readonly channel: number;
  readonly reply: ReceivingReply;
  readonly giveBack: () => void;
}

export function createIncomingReplies(options: IncomingRepliesOptions): IncomingReplies {
  const { boot, shard, calls, endings, bounds } = options;

  const askFor = ({ call, channel, reply }: Active): void => {
    const upTo = reply.ask(performance.now());
    const message = writeMessage('credit', { asker: boot, callId: call.id, channel, upTo });
    shard.send('publish', [keys.commands(reply.begin.owner), message]).catch(() => {});
  };
  const line = createChannelLine(options, askFor);

  const receive = (active: Active, offset: number, bytes: Buffer): void => {
    const { call, reply, giveBack } = active;
    if (!reply.take(offset, bytes)) return endings.lose(call, 'a part of the reply is missing');
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
      for (const { call } of line.all()) endings.lose(call, 'the subscription to the reply was lost');
    },
    sweep: (now) => {
      line.advance();
      const coming = [...line.all()];
      const stalled = coming.filter(({ reply }) => reply.isStalled(now));
      // Where none goes on the subscription may be dead without a word, so that the next replies would stall too.
      if (stalled.length > 0 && stalled.length === coming.length) shard.bulk.distrust();
      for (const { call } of stalled) endings.lose(call, 'the reply did not go on');
      for (const active of line.all()) if (active.reply.needsAsking(now)) askFor(active);
    },
  };
}

/**
 * Lends the channels, and the room for the bytes, to the replies in the order in which they were announced. Accounts that
 * have their share already are passed over.
 */
function createChannelLine(
  { shard, room, bounds }: IncomingRepliesOptions,
  onStart: (active: Active) => void,
) {
  const waiting = new Map<WaitingCall, ReplyBegin>();
  const byChannel = new Map<number, Active>();

  const leave = ({ call, channel }: Active): void => {
    byChannel.delete(channel);
    call.dropReply = undefined;
    advance();
  };

  const start = (call: WaitingCall, begin: ReplyBegin, channel: number, giveBack: () => void): void => {
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
    const own = [...byChannel.values()].filter(({ call }) => call.question.accountId === accountId);
    return own.length * 2 >= bounds.channels;
  };

  const advance = (): void => {
    for (const [call, begin] of waiting) {
      const channel = firstFree(byChannel, bounds.channels);
      if (channel === undefined || !shard.bulk.isListening()) return;
      const { accountId } = call.question;
      const giveBack = hasShare(accountId) ? undefined : room.take(accountId, begin.bytes);
      if (!giveBack) continue;
      waiting.delete(call);
      start(call, begin, channel, giveBack);
    }
  };
  room.onRoom(advance);

  return {
    join: (call: WaitingCall, begin: ReplyBegin): void => {
      waiting.set(call, begin);
      call.dropReply = () => waiting.delete(call);
      advance();
    },
    leave,
    advance,
    of: (callId: number): Active | undefined =>
      [...byChannel.values()].find(({ call }) => call.id === callId),
    all: (): Iterable<Active> => byChannel.values(),
  };
}

function firstFree(taken: ReadonlyMap<number, unknown>, count: number): number | undefined {
  for (let channel = 0; channel < count; channel++) if (!taken.has(channel)) return channel;
  return undefined;
}
