import { useSignal } from '@preact/signals';
import { connectionOutcomes, remoteRequestOutcomes } from '@tabletop-relay/contract';
import { useEffect } from 'preact/hooks';
import { Page } from '../../parts/page.tsx';
import { ProblemNotice } from '../../parts/problem.tsx';
import { navigate, place } from '../../router.ts';
import { nameOf, worlds } from '../../store.ts';
import { useAction } from '../../use-action.ts';
import type { Entry } from './entries.ts';
import { EntryRow } from './entry-row.tsx';
import { kinds, openFeed, readFilters, times, writeFilters } from './filters.ts';
import type { Filters } from './filters.ts';

const pageSize = 30;

export function ActivityPage() {
  const { search } = place.value;
  return (
    <Page title="Activity">
      <FilterBar filters={readFilters(search)} />
      <Entries search={search} key={search} />
    </Page>
  );
}

function FilterBar({ filters }: { filters: Filters }) {
  const change = (changes: Partial<Filters>) =>
    navigate(`/dashboard/activity${writeFilters({ ...filters, ...changes })}`, { replace: true });
  const known = worlds.data.value ?? [];
  return (
    <form class="filters" aria-label="Filters">
      <Choice
        label="Show"
        value={filters.show}
        options={Object.entries(kinds)}
        onChange={(show) => change({ show: show as Filters['show'], outcome: '' })}
      />
      <Choice
        label="World"
        value={filters.world}
        options={[
          ['', 'Any world'],
          ...known.map((world): [string, string] => [world.clientId, nameOf(world)]),
        ]}
        onChange={(world) => change({ world })}
      />
      <Choice
        label="Outcome"
        value={filters.outcome}
        options={outcomesOf(filters.show)}
        onChange={(outcome) => change({ outcome })}
      />
      <Choice
        label="Time"
        value={filters.time}
        options={Object.entries(times)}
        onChange={(time) => change({ time: time as Filters['time'] })}
      />
    </form>
  );
}

const outcomeWords = (name: string): string =>
  (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll('_', ' ');

const named = (outcomes: object): [string, string][] =>
  Object.keys(outcomes).map((name) => [name, outcomeWords(name)]);

const outcomes: Record<Exclude<Filters['show'], 'all'>, [string, string][]> = {
  connections: named(connectionOutcomes),
  remote: named(remoteRequestOutcomes),
  account: [
    ['ok', 'Done'],
    ['refused', 'Refused'],
  ],
};

function outcomesOf(show: Filters['show']): [string, string][] {
  const shown = show === 'all' ? Object.values(outcomes).flat() : outcomes[show];
  return [['', 'Any outcome'], ...new Map(shown)];
}

interface ChoiceProps {
  label: string;
  value: string;
  options: [string, string][];
  onChange: (value: string) => void;
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <label>
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([name, word]) => (
          <option value={name} key={name}>
            {word}
          </option>
        ))}
      </select>
    </label>
  );
}

function Entries({ search }: { search: string }) {
  const feed = useSignal(openFeed(readFilters(search)));
  const entries = useSignal<Entry[] | undefined>(undefined);
  const { run, isBusy, problem } = useAction(async () => {
    const more = await feed.peek().next(pageSize);
    entries.value = [...(entries.peek() ?? []), ...more];
  });
  useEffect(() => void run(), []);
  const startAgain = () => {
    feed.value = openFeed(readFilters(search));
    void run();
  };
  if (!entries.value) {
    return problem.value ? (
      <>
        <ProblemNotice problem={problem.value} />
        <button type="button" onClick={startAgain}>
          Try again
        </button>
      </>
    ) : (
      <div class="loading" aria-busy="true" />
    );
  }
  if (entries.value.length === 0) return <p class="empty">Nothing that fits these filters has happened.</p>;
  return (
    <>
      <ul class="rows">
        {entries.value.map((entry) => (
          <EntryRow entry={entry} key={entry.id} />
        ))}
      </ul>
      <ProblemNotice problem={problem.value} />
      {feed.value.hasMore() && (
        <button type="button" class="more" disabled={isBusy.value} onClick={() => void run()}>
          Show older
        </button>
      )}
    </>
  );
}
