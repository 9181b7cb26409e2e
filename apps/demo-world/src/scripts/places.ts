import { Refusal } from '../world/refusal.ts';

/** So many may be inside, and so many wait for it. */
export interface Places {
  /** Resolves when there is a place. Rejects with `too_busy` where too many wait. */
  take(): Promise<void>;
  giveBack(): void;
}

export function createPlaces({ running, waiting }: { running: number; waiting: number }): Places {
  const queue: (() => void)[] = [];
  let taken = 0;
  return {
    async take() {
      if (taken < running) {
        taken += 1;
        return;
      }
      if (queue.length >= waiting)
        throw new Refusal('too_busy', `${running + waiting} scripts run or wait already: ask again later`);
      await new Promise<void>((resolve) => queue.push(resolve));
    },
    giveBack() {
      const next = queue.shift();
      if (next) next();
      else taken -= 1;
    },
  };
}
