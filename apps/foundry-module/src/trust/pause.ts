import type { TabletopModule } from '@tabletop-relay/module-sdk';
import { readSetting, tabletop } from '../tabletop/foundry.ts';

/** Before the relay is told once more where it could not take it. */
const againMs = 15_000;

/**
 * Tells the relay whether the tabletop has paused the world. The world's setting is the truth, so it is looked at whenever the line or the
 * setting changes, by the browser that serves.
 */
export function createPauseTeller(
  module: () => Pick<TabletopModule, 'status' | 'pauses' | 'setPause'>,
  /** Whether this browser has heard each change: one that has not lifts no pause. */
  hasHeardAll: () => boolean,
  onError: (error: unknown) => void,
): () => void {
  let isTelling = false;

  async function tell(): Promise<void> {
    const { status, pauses } = module();
    const by = readSetting('pausedBy');
    const isPaused = by !== '';
    if (isTelling || status.state !== 'connected') return;
    if (pauses.some(({ setIn }) => setIn === 'tabletop') === isPaused) return;
    if (!isPaused && !hasHeardAll()) return;
    isTelling = true;
    try {
      await module().setPause(isPaused, { userName: by || (tabletop.game.user?.name ?? '') });
    } catch (error) {
      onError(error);
      setTimeout(() => void tell(), againMs);
      return;
    } finally {
      isTelling = false;
    }
    // It may have been lifted or set again meanwhile.
    if ((readSetting('pausedBy') !== '') !== isPaused) await tell();
  }

  return () => void tell();
}
