import { signal } from '@preact/signals';
import { Refusal } from '../../world/refusal.ts';
import type { WorldState } from '../../world/state.ts';
import type { World } from '../../world/world.ts';
import type { LinkStatus, RelayState, WorldLink } from '../link.ts';

/** The link to a world that runs in this very page: always live, gone with the page. */
export function openOwnLink(world: World): WorldLink {
  const state = signal<WorldState | null>(world.state());
  const notice = signal<string | null>(null);
  world.subscribe((change) => {
    state.value = change.state;
  });
  return {
    state,
    status: signal<LinkStatus>({ kind: 'live' }),
    relay: signal<RelayState | null>(null),
    notice,
    perform(action) {
      notice.value = null;
      try {
        world.perform(action);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        notice.value = error.message;
      }
    },
  };
}
