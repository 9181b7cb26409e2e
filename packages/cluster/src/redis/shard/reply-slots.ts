import { keys } from '../keys.ts';

/**
 * The reply channels of this instance on one shard. All are subscribed to before they are needed, and each is lent to
 * one call at a time. The call's id names the channel and how often it was lent, so a late reply is told apart.
 */
export interface ReplySlots {
  /**
   * Passes the id of a call to `take`: at once, or as soon as a channel is free. `take` answers false when the call no
   * longer needs it. Answers false when so many calls wait for a channel that this one must be refused.
   */
  lend(take: (callId: number) => boolean): boolean;
  /** The call has ended. A reply that is still under way to it will be dropped. */
  giveBack(callId: number): void;
  /** The channels to subscribe to. */
  channels(): string[];
  /** To be called when the subscription to `channels` stands. */
  stand(): void;
}

export interface ReplySlotsOptions {
  boot: string;
  /** The first slot of this shard, and the distance to its next: no two shards share a slot, nor an id. */
  first: number;
  step: number;
  /** Subscribes to more channels. A failure of it must end in a new subscription to all. */
  subscribe: (channels: string[]) => Promise<unknown>;
  /** Number of channels at the start, and the most on this shard. */
  initial?: number;
  max?: number;
}

/** Of all shards together. An id has 32 bits, so a slot is lent 262,144 times before an id comes again. */
const maxSlots = 2 ** 14;
const uses = 2 ** 32 / maxSlots;
const initialSlots = 256;

/** The number in the name of a call's reply channel. */
export const slotOf = (callId: number): number => callId % maxSlots;

export function createReplySlots(options: ReplySlotsOptions): ReplySlots {
  const { boot, first, step, subscribe } = options;
  const max = Math.min(options.max ?? maxSlots, Math.floor((maxSlots - 1 - first) / step) + 1);
  let wanted = Math.min(max, options.initial ?? initialSlots);
  let standing = 0;
  /** How often each slot was lent. No id is 0. */
  const lent: number[] = [];
  const free: number[] = [];
  const waiting: ((callId: number) => boolean)[] = [];

  const channelsFrom = (index: number): string[] =>
    Array.from({ length: wanted - index }, (_, more) => keys.reply(boot, first + (index + more) * step));

  const serve = (): void => {
    while (free.length > 0 && waiting.length > 0) {
      const index = free.pop() ?? 0;
      const use = ((lent[index] ?? 0) + 1) % uses || 1;
      const isTaken = waiting.shift()?.(use * maxSlots + first + index * step);
      if (isTaken) lent[index] = use;
      else free.push(index);
    }
  };

  const stand = (): void => {
    for (; standing < wanted; standing++) free.push(standing);
    serve();
    grow();
  };

  /** Makes more before the last is lent. */
  const grow = (): void => {
    if (free.length * 4 >= standing || standing < wanted || wanted === max) return;
    const more = wanted;
    wanted = Math.min(max, wanted * 2);
    subscribe(channelsFrom(more)).then(stand, () => {});
  };

  return {
    lend: (take) => {
      if (waiting.length >= max) return false;
      waiting.push(take);
      serve();
      grow();
      return true;
    },
    giveBack: (callId) => {
      free.push((slotOf(callId) - first) / step);
      serve();
    },
    channels: () => channelsFrom(0),
    stand,
  };
}
