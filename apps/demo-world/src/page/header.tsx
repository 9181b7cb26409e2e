import type { WorldLink } from './link.ts';
import { useTable } from './table.ts';
import { ThemeButton } from './theme-button.tsx';

const relayWords = {
  connecting: { tone: 'warn', word: 'Relay: connecting…' },
  connected: { tone: 'good', word: 'Relay: connected' },
  away: { tone: 'bad', word: 'Relay: away' },
} as const;

/** The header: the world, the scene, and whether the page is up to date. */
export function Header({ link }: { link: WorldLink }) {
  const { state, isLive, perform } = useTable();
  const { world, system, scenes, activeSceneId } = state.value;
  return (
    <header class="head">
      <h1>{world.title}</h1>
      {scenes.length > 1 && (
        <label class="scene-choice">
          <span class="visually-hidden">Scene</span>
          <select
            disabled={!isLive.value}
            value={activeSceneId ?? ''}
            onChange={(event) => perform({ kind: 'activate-scene', sceneId: event.currentTarget.value })}
          >
            {scenes.map((scene) => (
              <option key={scene.id} value={scene.id}>
                {scene.name}
              </option>
            ))}
          </select>
        </label>
      )}
      <p class="system">
        {system.title} {system.version}
      </p>
      <div class="states" role="status">
        <PageState link={link} />
        {link.relay.value && <State {...relayWords[link.relay.value]} />}
      </div>
      <ThemeButton />
    </header>
  );
}

function PageState({ link }: { link: WorldLink }) {
  const status = link.status.value;
  if (status.kind === 'live') return null;
  if (status.kind === 'connecting') return <State tone="warn" word="Connecting…" />;
  const since = new Date(status.since).toLocaleTimeString('en', { hourCycle: 'h23' });
  return <State tone="bad" word={`Not live: as it was at ${since}. Reconnecting…`} />;
}

export function State({ tone, word }: { tone: 'good' | 'warn' | 'bad'; word: string }) {
  return (
    <span class={`state tone-${tone}`}>
      <span class="dot" aria-hidden="true" />
      {word}
    </span>
  );
}
