import { NoAnswer, reconnect, sendCommand } from '../connection.ts';
import type { ClusterTimes } from '../times.ts';
import type { Connect, ScriptArgument } from '../connection.ts';
import { keys } from '../keys.ts';

/** The connections for large bodies. Leases, commands and cancels have others, so that they never wait behind a body. */
export interface BulkLink {
  /** As `sendCommand`. A time-out dials again, because the answers of a connection come in order. */
  send<T>(name: string, args: readonly ScriptArgument[], encoding?: 'utf8' | null): Promise<T>;
  isListening(): boolean;
  /**
   * Dials the subscriber again, because nothing arrived where something was expected. Nothing is listened to from this
   * call on, and `onLost` is not called: what was awaited is the caller's to give up.
   */
  distrust(): void;
  /** Resolves once the subscription stands for the first time. */
  readonly listening: Promise<void>;
  start(): void;
  stop(): void;
}

export interface BulkLinkOptions {
  url: string;
  boot: string;
  channels: number;
  connect: Connect;
  times: ClusterTimes;
}

export interface BulkEvents {
  onChunk: (message: Buffer) => void;
  /** The subscription was lost by itself. Chunks are missing from now on. */
  onLost: () => void;
}

export function createBulkLink(options: BulkLinkOptions, events: BulkEvents): BulkLink {
  const { url, boot, connect } = options;
  const times = { ...options.times, answerMs: options.times.bulkAnswerMs };
  const redis = connect(url, 'relay-bulk', times);
  const subscriber = connect(url, 'relay-bulk-subscriber', times);
  const channels = Array.from({ length: options.channels }, (_, channel) => keys.bulk(boot, channel));
  const { promise: listening, resolve: stand } = Promise.withResolvers<void>();
  let isStanding = false;

  const subscribe = async (): Promise<void> => {
    await subscriber.subscribe(...channels);
    isStanding = true;
    stand();
  };
  subscriber.on('ready', () => void subscribe().catch(() => reconnect(subscriber)));
  subscriber.on('close', () => {
    const stood = isStanding;
    isStanding = false;
    if (stood) events.onLost();
  });
  subscriber.on('messageBuffer', (_channel, message) => events.onChunk(message));

  return {
    send: <T>(name: string, args: readonly ScriptArgument[], encoding?: 'utf8' | null) => {
      const answer = sendCommand<T>(redis, name, args, encoding);
      answer.catch((cause: unknown) => {
        if (cause instanceof NoAnswer) reconnect(redis);
      });
      return answer;
    },
    isListening: () => isStanding,
    distrust: () => {
      // The connection closes only later, and no reply may be asked for on it until then.
      isStanding = false;
      reconnect(subscriber);
    },
    listening,
    start: () => {
      for (const connection of [redis, subscriber]) connection.connect().catch(() => {});
    },
    stop: () => {
      redis.disconnect();
      subscriber.disconnect();
    },
  };
}
