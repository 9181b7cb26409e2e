import type { KnownClient } from '@tabletop-relay/contract';
import { Listed } from '../../parts/listed.tsx';
import { Page } from '../../parts/page.tsx';
import { Presence } from '../../parts/presence.tsx';
import { OnlineState, State } from '../../parts/state.tsx';
import { account } from '../../request.ts';
import { worldLabel, worlds } from '../../store.ts';
import { DemoWorldButton } from '../pair/demo-world-button.tsx';
import { relayAddress } from '../pair/relay-address.ts';
import { browserCount } from '../../words/counts.ts';
import { InstallModule } from './install-module.tsx';
import { PauseButton } from './pause-world.tsx';

export function WorldsPage() {
  return (
    <Page
      title="Worlds"
      actions={
        <a class="button primary" href="/dashboard/pair">
          Pair a world
        </a>
      }
    >
      <Listed of={worlds} empty={<NoWorlds />}>
        {(items) => (
          <ul class="rows">
            {items.toSorted(byPresence).map((world) => (
              <WorldRow world={world} key={world.clientId} />
            ))}
          </ul>
        )}
      </Listed>
      <InstallModule open={worlds.data.value?.length === 0} key={String(worlds.data.value?.length === 0)} />
    </Page>
  );
}

/** Online first, then those seen last. */
function byPresence(one: KnownClient, other: KnownClient): number {
  const rank = (world: KnownClient) => (world.isOnline ? 1 : 0);
  return (
    rank(other) - rank(one) ||
    (other.lastSeenAt ?? other.createdAt).localeCompare(one.lastSeenAt ?? one.createdAt)
  );
}

function WorldRow({ world }: { world: KnownClient }) {
  return (
    <li class="world-row">
      <div class="world-states">
        <OnlineState isOnline={world.isOnline} />
        {world.pauses.length > 0 && <State tone="warn" word="Paused" />}
      </div>
      <div>
        <h2>
          <a href={`/dashboard/worlds/${world.clientId}`}>{worldLabel(world)}</a>
        </h2>
        <p class="muted">{systemOf(world)}</p>
      </div>
      <div class="world-facts">
        <p>
          <Presence world={world} />
        </p>
        <p class="muted">
          {world.isOnline && account.value?.isAdministrator && `instance ${world.instanceId} · `}
          {browserCount(world.tokens)} paired
        </p>
        <PauseButton world={world} />
      </div>
    </li>
  );
}

export const systemOf = (world: KnownClient): string =>
  [
    `${world.systemTitle || world.systemId} ${world.systemVersion}`.trim(),
    world.tabletopVersion && `tabletop ${world.tabletopVersion}`,
  ]
    .filter(Boolean)
    .join(' · ');

function NoWorlds() {
  return (
    <section class="empty">
      <h2>No world is paired yet</h2>
      <p>A world is what your tabletop runs in your browser. Pairing takes a minute:</p>
      <ol class="steps">
        <li>
          Open your world in the tabletop as GM, with the relay’s module switched on. How it gets there stands
          below.
        </li>
        <li>
          Press the module’s button to pair. Another relay’s module wants this relay’s address first:{' '}
          <code>{relayAddress}</code>.
        </li>
        <li>If it asks for a code, make one here; if it opens a page of this relay, approve there.</li>
      </ol>
      <div class="buttons">
        <a class="button primary" href="/dashboard/pair">
          Pair a world
        </a>
        <DemoWorldButton />
      </div>
    </section>
  );
}
