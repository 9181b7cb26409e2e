import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Page } from '../../parts/page.tsx';
import { ProblemNotice } from '../../parts/problem.tsx';
import { place } from '../../router.ts';
import { keys } from '../../store.ts';
import { useAction } from '../../use-action.ts';
import { KeepBodies } from './calls/keep-bodies.tsx';
import type { Entry } from './entries.tsx';
import { EntryRow } from './entry-row.tsx';
import { FilterBar } from './filter-bar.tsx';
import { openFeed, readFilters } from './filters.ts';
import { newestPage as pageSize, useNewEntries } from './use-new-entries.ts';

export function ActivityPage() {
  const { search } = place.value;
  const filters = readFilters(search);
  useEffect(() => {
    if (!keys.data.peek()) void keys.reload();
  }, []);
  return (
    <Page title="Activity">
      <FilterBar filters={filters} />
      <Entries search={search} key={search} />
      {(filters.show === 'all' || filters.show === 'calls') && <KeepBodies />}
    </Page>
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
    entries.value = undefined;
    void run();
  };
  const news = useNewEntries({
    entries,
    readNewest: () => openFeed(readFilters(search)).next(pageSize),
    startAgain,
  });
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
  if (entries.value.length === 0) return <p class="empty">Nothing matches these filters.</p>;
  return (
    <>
      {entries.value.some(({ isSample }) => isSample) && <SampleNotice />}
      {news.waiting.value > 0 && (
        <button type="button" class="more news" onClick={news.show}>
          Show {news.waiting.value.toLocaleString('en')} new
        </button>
      )}
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

function SampleNotice() {
  return (
    <p class="notice warn">
      There were more calls than the relay records one by one. Every failure is here; of the others some
      entries stand for several calls. The overview counts all of them.
    </p>
  );
}
