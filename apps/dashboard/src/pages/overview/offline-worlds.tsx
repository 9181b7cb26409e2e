import type { KnownClient } from '@tabletop-relay/contract';
import { State } from '../../parts/state.tsx';
import { worldLabel } from '../../store.ts';
import { worldCount } from '../../words/counts.ts';
import { Presence } from '../../parts/presence.tsx';

/** Worlds that no program can reach now, a line each. They are open only where there are no others to look at. */
export function OfflineWorlds({ worlds, isOpen }: { worlds: readonly KnownClient[]; isOpen: boolean }) {
  if (worlds.length === 0) return null;
  return (
    <details class="folded" open={isOpen}>
      <summary>
        <h2>{worldCount(worlds.length)} offline</h2>
      </summary>
      <ul class="rows">
        {worlds.map((world) => (
          <li class="row" key={world.clientId}>
            <a class="grow" href={`/dashboard/worlds/${world.clientId}`}>
              {worldLabel(world)}
            </a>
            {world.pauses.length > 0 && <State tone="warn" word="Paused" />}
            <span class="muted">
              <Presence world={world} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
