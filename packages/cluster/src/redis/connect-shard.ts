import { createOutgoingReplies } from './bulk/outgoing-replies.ts';
import type { OutgoingReplies } from './bulk/outgoing-replies.ts';
import type { AnswerOutbox } from './calls/answer-outbox.ts';
import { createAnswerOutbox } from './calls/answer-outbox.ts';
import type { Delivery } from './calls/delivery.ts';
import type { RedisBus } from './calls/redis-bus.ts';
import type { Claims } from './claims/claims.ts';
import type { Probes } from './claims/probes.ts';
import type { RedisBroadcast } from './redis-broadcast.ts';
import type { RedisShard, ShardOptions } from './shard/shard.ts';
import { createShard } from './shard/shard.ts';
import type { Traffic } from './traffic.ts';
import { countMessage } from './traffic.ts';
import { readAnswer, readMessage } from '../message.ts';

/** The parts of the cluster that act on the events of a shard. */
export interface ShardConsumers {
  readonly claims: Claims;
  readonly delivery: Delivery;
  readonly bus: RedisBus;
  readonly probes: Probes;
  readonly broadcast: RedisBroadcast;
  readonly reassert: (shard: RedisShard, atOnce: boolean) => void;
  /** A shard did not answer a renewal. */
  readonly onSilence: () => void;
  /** As the events of a shard. */
  readonly onForeign: (shard: RedisShard) => void;
  readonly onReturn: (shard: RedisShard) => void;
}

export interface ConnectedShard {
  readonly shard: RedisShard;
  readonly outbox: AnswerOutbox;
  readonly outgoing: OutgoingReplies;
}

/** Makes a shard and passes its events on. The consumers are read at each event, because they need the shards first. */
export function connectShard(
  options: ShardOptions & { traffic: Traffic },
  consumers: () => ShardConsumers,
): ConnectedShard {
  const { boot, bounds, traffic } = options;
  const shard = createShard(options, {
    onCommandMessage: (message) => consumers().delivery.onMessage(connected, message),
    onReply: (message) => {
      countMessage(traffic.received.answer, message.length);
      const read = readAnswer(message);
      if (!read) return;
      const { bus, probes } = consumers();
      bus.onAnswer(shard, read.callId, read.answer);
      probes.onAnswer(read.callId, read.answer);
    },
    onChunk: (message) => {
      countMessage(traffic.received.chunk, message.length);
      const chunk = readMessage(message);
      if (chunk?.kind === 'chunk') consumers().bus.onChunk(shard, chunk);
    },
    onBulkLost: () => consumers().bus.onBulkLost(shard),
    onBroadcast: (message) => {
      countMessage(traffic.received.broadcast, message.length);
      consumers().broadcast.onMessage(message);
    },
    onRenewed: (mustReassert) => {
      const { claims, reassert } = consumers();
      claims.flush(shard);
      outbox.flush();
      reassert(shard, mustReassert);
    },
    onSilence: () => consumers().onSilence(),
    onForeign: () => consumers().onForeign(shard),
    onReturn: () => consumers().onReturn(shard),
  });
  const outbox = createAnswerOutbox(shard, options.times, traffic);
  const outgoing = createOutgoingReplies({ boot, bulk: shard.bulk, outbox, bounds, traffic });
  const connected = { shard, outbox, outgoing };
  shard.listener.onGap(() => consumers().bus.onGap(shard));
  return connected;
}
