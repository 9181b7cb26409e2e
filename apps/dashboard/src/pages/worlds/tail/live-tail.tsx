import { useComputed, useSignal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { ProblemNotice } from '../../../parts/problem.tsx';
import { State } from '../../../parts/state.tsx';
import { ChannelChoice } from './channel-choice.tsx';
import type { Choice } from './channel-choice.tsx';
import { filterEntries, mostEntries } from './entries.ts';
import type { TailEntry } from './entries.ts';
import { Listeners } from './listeners.tsx';
import { createTail } from './tail.ts';
import type { TailState } from './tail.ts';
import { TailRow } from './tail-row.tsx';

const words: Record<TailState, { tone: 'good' | 'warn' | 'off'; word: string }> = {
  stopped: { tone: 'off', word: 'Not following' },
  opening: { tone: 'warn', word: 'Opening…' },
  live: { tone: 'good', word: 'Live' },
  waiting: { tone: 'warn', word: 'Lost the relay, trying again' },
};

/** Live events of a world. No stream is opened before somebody asks for it. */
export function LiveTail({ clientId }: { clientId: string }) {
  const tail = useMemo(() => createTail(clientId), [clientId]);
  useEffect(() => tail.stop, [tail]);
  const choice = useSignal<Choice>({ channels: ['combat', 'chat', 'rolls'], actorUuid: '' });
  const isFollowing = tail.state.value !== 'stopped';
  const isComplete =
    choice.value.channels.length > 0 &&
    (!choice.value.channels.includes('actor') || choice.value.actorUuid.trim() !== '');
  return (
    <section class="tail">
      <div class="section-head">
        <h2>Live events</h2>
        <span role="status">
          <State {...words[tail.state.value]} />
        </span>
      </div>
      <Listeners clientId={clientId} />
      <form
        class="tail-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isFollowing) tail.stop();
          else void tail.start(choice.value);
        }}
      >
        <ChannelChoice choice={choice} isDisabled={isFollowing} />
        <div class="buttons">
          {isFollowing ? (
            <button>Stop</button>
          ) : (
            <button class="primary" disabled={!isComplete}>
              Follow events
            </button>
          )}
        </div>
      </form>
      <p class="hint">
        Following creates a key that can only follow this world and ends after an hour. It hears what the game
        master hears, including whispers and hidden rolls.
      </p>
      <ProblemNotice problem={tail.problem.value} />
      <Entries entries={tail.entries} clear={tail.clear} isFollowing={isFollowing} />
    </section>
  );
}

function Entries(props: {
  entries: ReadonlySignal<readonly TailEntry[]>;
  clear: () => void;
  isFollowing: boolean;
}) {
  const { entries, clear, isFollowing } = props;
  const filter = useSignal('');
  const isRaw = useSignal(false);
  const held = useSignal<readonly TailEntry[] | undefined>(undefined);
  const shown = useComputed(() => filterEntries(held.value ?? entries.value, filter.value));
  if (entries.value.length === 0) {
    return isFollowing ? (
      <p class="placeholder muted">Nothing has happened yet. Move a token or roll dice in the tabletop.</p>
    ) : null;
  }
  const missed = (entries.value[0]?.number ?? 0) - (held.value?.[0]?.number ?? 0);
  return (
    <>
      <div class="tail-bar">
        <input
          type="search"
          aria-label="Show events with these words"
          placeholder="Filter by name or content"
          value={filter}
          onInput={(event) => (filter.value = event.currentTarget.value)}
        />
        <button type="button" aria-pressed={isRaw.value} onClick={() => (isRaw.value = !isRaw.value)}>
          Raw
        </button>
        <button
          type="button"
          aria-pressed={held.value !== undefined}
          onClick={() => (held.value = held.value ? undefined : entries.value)}
        >
          {held.value ? `Go on${missed > 0 ? ` (${missed} new)` : ''}` : 'Hold'}
        </button>
        <button
          type="button"
          onClick={() => {
            held.value = undefined;
            clear();
          }}
        >
          Clear
        </button>
      </div>
      {shown.value.length === 0 ? (
        <p class="placeholder muted">No event contains these words.</p>
      ) : (
        <ol class="tail-list" aria-label="Events, newest first" tabIndex={0}>
          {shown.value.map((entry) => (
            <TailRow entry={entry} isRaw={isRaw.value} key={entry.number} />
          ))}
        </ol>
      )}
      {entries.value.length === mostEntries && (
        <p class="hint">The newest {mostEntries} events are kept here.</p>
      )}
    </>
  );
}
