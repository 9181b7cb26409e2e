import type { Broadcast } from '../cluster.ts';
import { ClusterUnavailable } from '../failures.ts';
import { readMessage, writeMessage } from '../message.ts';
import { keys } from './keys.ts';
import type { RedisShard } from './shard/shard.ts';
import type { Traffic } from './traffic.ts';
import { countMessage } from './traffic.ts';

export interface RedisBroadcast extends Broadcast {
  /** To be called with each message on the broadcast channel. */
  onMessage(message: Buffer): void;
}

/** Broadcast to all instances, through the first shard of the list. */
export function createRedisBroadcast(home: RedisShard, traffic: Traffic): RedisBroadcast {
  const topics = new Map<string, Set<(message: string) => void>>();
  return {
    publish: async (topic, message) => {
      const bytes = writeMessage('broadcast', { topic }, Buffer.from(message));
      countMessage(traffic.published.broadcast, bytes.length);
      await home.send('publish', [keys.broadcast, bytes]).catch((cause: unknown) => {
        throw new ClusterUnavailable(
          'Redis did not confirm the message, so it may have reached no instance',
          { cause },
        );
      });
    },
    subscribe: (topic, listener) => {
      const own = (message: string): void => listener(message);
      const listeners = topics.get(topic) ?? new Set();
      topics.set(topic, listeners.add(own));
      return () => {
        listeners.delete(own);
        if (listeners.size === 0 && topics.get(topic) === listeners) topics.delete(topic);
      };
    },
    onGap: (listener) => home.listener.onGap(listener),
    onMessage: (bytes) => {
      const message = readMessage(bytes);
      if (message?.kind !== 'broadcast') return;
      const text = message.body.toString();
      for (const listener of topics.get(message.topic) ?? []) listener(text);
    },
  };
}
