import type { ReadonlySignal, Signal } from '@preact/signals';
import { signal } from '@preact/signals';
import { errors, streamEvents } from '@tabletop-relay/contract';
import type { ErrorCode } from '@tabletop-relay/contract';
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

/** Rest before the fight is read again, in milliseconds. */
const rests = {
  /** For who may hear no turn: the module does not say who may see its events, or the key reads turns alone. */
  deaf: 4_000,
  /** Events of a fight with somebody hidden go to game masters only. */
  hearing: 15_000,
};

/**
 * Follows fight, hit points and dice of a world. Where a stream says that it cannot vouch for what was before, at the beginning
 * and after a gap, that part is read once; all else comes from the events. The fight is read now and then besides, because a key
 * that is bound to a player does not hear of every turn.
 */
export function follow(link: OverlayLink): Following {
  const picture = signal(emptyPicture);
  const trouble = signal<string | null>(null);
  const ended = new AbortController();
  const follower = { trouble, ended };
  let restMs = link.turnsOnly ? rests.deaf : rests.hearing;

  // Who may not be read is asked for once: each refusal stands in the log of calls.
  const askedFor = new Set<string>();
  // What was read before the stream of changes is open may have changed meanwhile.
  let hearsHealth = false;
  const readMissingHealth = async () => {
    const missing = hearsHealth ? actorsWithoutHealth(picture.value) : [];
    const actors = missing.filter((uuid) => !askedFor.has(uuid));
    for (const uuid of actors) askedFor.add(uuid);
    if (actors.length > 0)
      picture.value = withHealth(picture.value, await readHealthOf(link, actors, ended.signal));
  };
  // What was read before an event came is older than the event.
  let heard = 0;
  const readFightAgain = async () => {
    const before = heard;
    const fight = await readFight(link, ended.signal);
    if (heard !== before) return;
    if (fight && 'code' in fight) {
      if (link.turnsOnly) trouble.value = wordsFor(fight.code);
      return;
    }
    if (link.turnsOnly) trouble.value = null;
    picture.value = { ...picture.value, fight };
    await readMissingHealth();
  };
  keepReading(readFightAgain, () => restMs, ended.signal, link.turnsOnly);

  if (!link.turnsOnly) {
    const streams = createEventStreams({
      url: '',
      apiKey: link.key,
      ...(link.client && { clientId: link.client }),
      fetch: (input, init) => fetch(input, { ...init, credentials: 'omit' }),
      // The relay may be started after the overlay.
      retries: Infinity,
    });
    const options = {
      signal: ended.signal,
      onInterrupted: () => void (trouble.value = 'Looking for the relay…'),
    };
    const combat: Parts = {
      async take(data) {
        const next = takeCombat(picture.value, data);
        heard += 1;
        if (!next) return readFightAgain();
        picture.value = next;
        await readMissingHealth();
      },
      readAgain: readFightAgain,
      onUnheard: () => {
        restMs = rests.deaf;
        void readFightAgain();
      },
    };
    void followOne(streams.combat({}, options), combat, follower);
    if (link.showsHealth) {
      const hooks: Parts = {
        take: (data) => (picture.value = takeActor(picture.value, data)),
        async readAgain() {
          hearsHealth = true;
          picture.value = { ...picture.value, health: new Map() };
          askedFor.clear();
          await readMissingHealth();
        },
        onUnheard: () => {
          hearsHealth = true;
          void readMissingHealth();
        },
      };
      void followOne(streams.hooks({ hooks: ['updateActor'] }, options), hooks, follower);
    }
    if (link.showsRolls) {
      const chat: Parts = { take: (data) => (picture.value = takeMessage(picture.value, data)) };
      void followOne(streams.chat({}, options), chat, follower);
    }
  }
  return { picture, trouble, end: () => ended.abort() };
}

/** Rests, reads, and so on until the end; `atOnce` begins with the reading. Each reading ends before the rest begins. */
function keepReading(
  readAgain: () => Promise<void>,
  restMs: () => number,
  end: AbortSignal,
  atOnce: boolean,
): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const rest = () => {
    if (!end.aborted) timer = setTimeout(() => void readAgain().then(rest), restMs());
  };
  end.addEventListener('abort', () => clearTimeout(timer));
  if (atOnce) void readAgain().then(rest);
  else rest();
}

type PlainEvents = AsyncIterable<{ event: string; data: Fields }>;

/** What one stream does to the picture. */
interface Parts {
  take: (data: Fields) => unknown;
  /** Reads what the stream cannot vouch for. */
  readAgain?: () => Promise<void>;
  /** The module does not say who may see these events, so that the key hears none. */
  onUnheard?: () => void;
}

interface Follower {
  trouble: Signal<string | null>;
  ended: AbortController;
}

/** The next event waits until the last one is in the picture. */
async function followOne(
  events: PlainEvents,
  { take, readAgain, onUnheard }: Parts,
  { trouble, ended }: Follower,
): Promise<void> {
  try {
    for await (const { event, data } of events) {
      trouble.value = event === 'client-offline' ? 'The world is away' : null;
      const isMissing = event === 'gap' || (event === 'connected' && data['recovered'] === false);
      if (isMissing || event === 'client-online') await readAgain?.();
      else if (!Object.hasOwn(streamEvents, event)) await take(data);
    }
  } catch (error) {
    if (error instanceof RelayError && error.code === 'acting_user_unchecked') return onUnheard?.();
    trouble.value =
      error instanceof RelayError ? wordsFor(error.code, error.detail) : 'The overlay failed. Load it again.';
    ended.abort();
  }
}

function wordsFor(code: string | undefined, detail?: string): string {
  if (code === undefined) return 'Looking for the relay…';
  if (code === 'client_offline') return 'The world is away';
  if (code === 'key_invalid' || code === 'key_expired') return 'The key of this link is not valid any more.';
  if (code === 'scope_missing') return 'The key of this link may not read what it shows.';
  return detail ?? (Object.hasOwn(errors, code) ? errors[code as ErrorCode].title : code);
}
