import type { Game } from '../tabletop/foundry.ts';

/** How long a call waits for a reading that is under way. */
const longestWaitMs = 3_000;
/** Before what could not be read is read once more. */
const againMs = 15_000;

/** Whether this browser knows what the world's settings say: the tabletop tells one that was away nothing of what was written meanwhile. */
export interface Touch {
  /** Whether it has heard, or has read since, all that was written. */
  isSure(): boolean;
  /** Waits for a reading that is under way; whether it is sure then. */
  settled(): Promise<boolean>;
  /** Reads anew, where something may have been missed without a word. */
  read(): void;
}

export interface TouchOptions {
  socket: Pick<Game['socket'], 'connected' | 'on'>;
  /** Takes over what the tabletop's server has. */
  refresh(): Promise<unknown>;
  /** What was written meanwhile is known. */
  onRead(): void;
  onError(error: unknown): void;
}

/** Reads the settings anew whenever the tabletop's socket comes back, and when a hidden tab is looked at again. */
export function createTouch({ socket, refresh, onRead, onError }: TouchOptions): Touch {
  /** How often the socket was lost: what was asked before a loss says nothing of what came after it. */
  let losses = 0;
  let known = 0;
  let reading: Promise<void> | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;

  async function readOnce(): Promise<void> {
    const at = losses;
    try {
      await refresh();
      known = Math.max(known, at);
      onRead();
    } catch (error) {
      onError(error);
      clearTimeout(again);
      if (known < losses) again = setTimeout(read, againMs);
    }
  }

  function read(): void {
    if (!socket.connected) return;
    const own = readOnce().finally(() => {
      if (reading === own) reading = undefined;
    });
    reading = own;
  }

  const isSure = () => socket.connected && known === losses;

  socket.on('disconnect', () => void losses++);
  socket.on('connect', read);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') read();
  });

  return {
    isSure,
    read,
    async settled() {
      const own = reading;
      if (own === undefined) return isSure();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const isLate = await Promise.race([
        own.then(() => false),
        new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(true), longestWaitMs))),
      ]);
      clearTimeout(timer);
      return !isLate && isSure();
    },
  };
}
