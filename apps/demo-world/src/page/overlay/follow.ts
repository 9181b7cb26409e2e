import type { ReadonlySignal, Signal } from '@preact/signals';
import { signal } from '@preact/signals';
import { streamEvents } from '@tabletop-relay/contract';
import { createEventStreams, RelayError } from '@tabletop-relay/sdk';
import type { OverlayLink } from './overlay-link.ts';
import {
  actorsWithoutHealth,
  emptyPicture,
  takeActor,
  takeCombat,
  takeMessage,
  withHealth,
} from './picture.ts';
import type { Fields, Picture } from './picture.ts';
import { readFight, readHealthOf } from './read-state.ts';

export interface Following {
  picture: ReadonlySignal<Picture>;
  /** What stands in the way, in words; null while all is well. */
  trouble: ReadonlySignal<string | null>;
  end: () => void;
}

/**
 * Follows fight, hit points and dice by three public streams. Where a stream says that it cannot vouch for what was
 * before, at the beginning and after a gap, that part is read once; all else comes from the events.
 */
export function follow(link: OverlayLink): Following {
  const picture = signal(emptyPicture);
  const trouble = signal<string | null>(null);
  const ended = new AbortController();
  const streams = createEventStreams({
    url: link.relay,
    apiKey: link.key,
    ...(link.client && { clientId: link.client }),
    // The relay may be started after the overlay.
    retries: Infinity,
  });
  const options = {
    signal: ended.signal,
    onInterrupted: () => void (trouble.value = 'Looking for the relay…'),
  };

  const readMissingHealth = async () => {
    const actors = actorsWithoutHealth(picture.value);
    if (actors.length > 0)
      picture.value = withHealth(picture.value, await readHealthOf(link, actors, ended.signal));
  };
  const readFightAgain = async () => {
    const fight = await readFight(link, ended.signal);
    if (fight !== undefined) picture.value = { ...picture.value, fight };
    await readMissingHealth();
  };

  const run = (events: PlainEvents, parts: Parts) => void followOne(events, parts, { trouble, ended });

  run(streams.combat({}, options), {
    async take(data) {
      const next = takeCombat(picture.value, data);
      if (!next) return readFightAgain();
      picture.value = next;
      await readMissingHealth();
    },
    readAgain: readFightAgain,
  });
  run(streams.hooks({ hooks: ['updateActor'] }, options), {
    take: (data) => (picture.value = takeActor(picture.value, data)),
    async readAgain() {
      picture.value = { ...picture.value, health: new Map() };
      await readMissingHealth();
    },
  });
  run(streams.chat({}, options), {
    take: (data) => (picture.value = takeMessage(picture.value, data)),
  });
  return { picture, trouble, end: () => ended.abort() };
}

type PlainEvents = AsyncIterable<{ event: string; data: Fields }>;

/** What one stream does to the picture. */
interface Parts {
  take: (data: Fields) => unknown;
  /** Reads what the stream cannot vouch for. */
  readAgain?: () => Promise<void>;
}

/** The next event waits until the last one is in the picture. */
async function followOne(
  events: PlainEvents,
  { take, readAgain }: Parts,
  { trouble, ended }: { trouble: Signal<string | null>; ended: AbortController },
): Promise<void> {
  try {
    for await (const { event, data } of events) {
      trouble.value = event === 'client-offline' ? 'The world is away' : null;
      const isMissing = event === 'gap' || (event === 'connected' && data['recovered'] === false);
      if (isMissing || event === 'client-online') await readAgain?.();
      else if (!Object.hasOwn(streamEvents, event)) await take(data);
    }
  } catch (error) {
    trouble.value = explain(error);
    ended.abort();
  }
}

function explain(error: unknown): string {
  if (!(error instanceof RelayError)) return 'The overlay failed. Load it again.';
  if (error.status === 401) return 'The key of this link is not valid any more.';
  if (error.code === 'scope_missing') return 'The key of this link may not follow events.';
  return error.detail;
}
