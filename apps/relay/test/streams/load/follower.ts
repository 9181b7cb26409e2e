import type { Tally } from '@tabletop-relay/testing/scenes';
import { openSse } from '../sse.ts';
import type { SseEvent, SseReader } from '../sse.ts';

/** A listener that comes back with the id of its last event whenever its stream ends, and keeps a tally. */
export interface Follower {
  readonly tally: Tally;
  /** Ends its connection; it comes back by itself. */
  cut(): void;
  stop(): void;
}

export interface FollowerOptions {
  /** Answers where to connect next, as a balancer would. */
  nextUrl: () => string;
  path: string;
  key: string;
  tally: Tally;
  /** It comes back after up to so long. */
  returnMs?: number;
}

/** Resolves when its first stream is open. */
export async function follow({
  nextUrl,
  path,
  key,
  tally,
  returnMs = 100,
}: FollowerOptions): Promise<Follower> {
  let lastId: string | undefined;
  let reader: SseReader | undefined;
  let isOver = false;
  const first = Promise.withResolvers<void>();

  const hear = (event: SseEvent): void => {
    lastId = event.id;
    tally.take(heardOf(event));
    if (event.event === 'connected') first.resolve();
  };
  const keepOn = async (): Promise<void> => {
    while (!isOver) {
      reader = await openSse(nextUrl() + path, { key, hear, ...(lastId && { lastId }) }).catch(
        () => undefined,
      );
      if (isOver) reader?.close();
      await reader?.closed;
      // The relay gives the place as well with each sign of life.
      if (reader?.lastId()) lastId = reader.lastId();
      await new Promise((resolve) => setTimeout(resolve, Math.random() * returnMs));
    }
  };
  void keepOn();
  await first.promise;
  return {
    tally,
    cut: () => reader?.close(),
    stop: () => {
      isOver = true;
      reader?.close();
    },
  };
}

function heardOf({ event, data }: SseEvent): Parameters<Tally['take']>[0] {
  if (event === 'connected') return { kind: 'connected', recovered: data['recovered'] === true };
  if (event === 'gap') return { kind: 'gap', dropped: data['dropped'] as number | undefined };
  if (event === 'client-offline') return { kind: 'offline' };
  if (event === 'client-online') return { kind: 'online' };
  const [number] = data['args'] as [number];
  return { kind: 'event', number };
}
