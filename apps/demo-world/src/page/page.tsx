import { computed, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { Calls } from './calls.tsx';
import { Chat } from './chat.tsx';
import { watchFreshRolls } from './fresh-rolls.ts';
import { Header } from './header.tsx';
import type { WorldLink } from './link.ts';
import { SceneView } from './scene/scene-view.tsx';
import { Sheet } from './sheet/sheet.tsx';
import type { Table } from './table.ts';
import { TableContext } from './table.ts';
import { Tracker } from './tracker.tsx';
import type { WorldState } from '../world/state.ts';

/** The whole page; `banner` stands between the header and the scene. */
export function Page({ link, banner }: { link: WorldLink; banner?: ComponentChildren }) {
  if (!link.state.value) return <Waiting />;
  return <LoadedPage link={link} banner={banner} />;
}

function Waiting() {
  return (
    <main class="waiting">
      <p role="status">Looking for the world…</p>
    </main>
  );
}

const tabs = [
  { id: 'tracker', label: 'Combat' },
  { id: 'chat', label: 'Chat' },
  { id: 'sheet', label: 'Sheet' },
] as const;

function LoadedPage({ link, banner }: { link: WorldLink; banner?: ComponentChildren }) {
  const table = useMemo(() => tableOf(link), [link]);
  const tab = useSignal<(typeof tabs)[number]['id']>('tracker');
  const { title } = table.state.value.world;
  useEffect(() => table.rolls.end, [table]);
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <TableContext.Provider value={table}>
      <Header link={link} />
      {banner}
      <Notice link={link} />
      <main class="board" data-tab={tab}>
        <SceneView />
        {/* On a narrow screen one of the three panels is shown at a time. */}
        <nav class="tabs" aria-label="Panels">
          {tabs.map(({ id, label }) => (
            <button key={id} aria-pressed={tab.value === id} onClick={() => (tab.value = id)}>
              {label}
            </button>
          ))}
        </nav>
        <Sheet />
        <Tracker />
        <Chat />
      </main>
      <Calls />
    </TableContext.Provider>
  );
}

function Notice({ link }: { link: WorldLink }) {
  return (
    <div class="notice-place" role="alert">
      {link.notice.value && (
        <p class="notice">
          <span>{link.notice.value}</span>
          <button class="quiet" onClick={() => (link.notice.value = null)}>
            Dismiss
          </button>
        </p>
      )}
    </div>
  );
}

function tableOf(link: WorldLink): Table {
  const first = link.state.peek() as WorldState;
  const state = computed(() => link.state.value ?? first);
  return {
    state,
    isLive: computed(() => link.status.value.kind === 'live'),
    perform: link.perform,
    rolls: watchFreshRolls(state),
  };
}
