import { EventEmitter } from 'node:events';
import { vi } from 'vitest';
import type { Connection } from '../../src/redis/connection.ts';

interface SentCommand {
  name: string;
  args: readonly unknown[];
  replyEncoding: unknown;
  answer: PromiseWithResolvers<unknown>;
}

/** A connection to Redis whose commands and subscriptions are answered by the test. It is ready from the start. */
export function createFakeConnection() {
  const events = new EventEmitter();
  const sent: SentCommand[] = [];
  const subscriptions: { channels: string[]; answer: PromiseWithResolvers<void> }[] = [];
  const state = { status: 'ready' };
  const connect = vi.fn<() => Promise<void>>(() => Promise.resolve());
  const disconnect = vi.fn<(reconnect?: boolean) => void>();
  const connection: Connection = {
    get status() {
      return state.status;
    },
    connect,
    disconnect,
    send: (name, args, replyEncoding) => {
      const answer = Promise.withResolvers<unknown>();
      sent.push({ name, args, replyEncoding, answer });
      return answer.promise;
    },
    subscribe: (...channels) => {
      const answer = Promise.withResolvers<void>();
      subscriptions.push({ channels, answer });
      return answer.promise;
    },
    on: (event: string, listener: (...args: never[]) => void) =>
      events.on(event, listener as (...args: unknown[]) => void),
  };
  return { connection, events, sent, subscriptions, state, connect, disconnect };
}

export type FakeConnection = ReturnType<typeof createFakeConnection>;
