import type { Overview } from '@tabletop-relay/contract';
import { useEffect } from 'preact/hooks';
import { Page } from '../../parts/page.tsx';
import { ProblemNotice } from '../../parts/problem.tsx';
import { OnlineState } from '../../parts/state.tsx';
import { navigate, place } from '../../router.ts';
import { findWorld, keys, worldLabel, worlds } from '../../store.ts';
import { NeedsAttention } from './needs-attention.tsx';
import { Checklist } from './checklist.tsx';
import { ErrorList } from './error-list.tsx';
import { firstSteps } from './first-steps.ts';
import { KeyShares } from './key-shares.tsx';
import { SpanChoice } from './span-choice.tsx';
import { useOverview } from './use-overview.ts';
import { WorldFigures } from './world-figures.tsx';

const chooseSpan = (days: number) =>
  navigate(days === 1 ? '/dashboard' : `/dashboard?days=${days}`, { replace: true });

export function OverviewPage() {
  const days = new URLSearchParams(place.value.search).get('days') === '7' ? 7 : 1;
  const overview = useOverview(days);
  useEffect(() => void keys.reload(), []);
  const steps = firstSteps({
    worlds: worlds.data.value,
    keys: keys.data.value,
    overview: overview.data.value,
  });
  if (worlds.data.value?.length === 0) {
    return (
      <Page title="Overview">
        <NeedsAttention />
        <Checklist steps={steps} />
      </Page>
    );
  }
  return (
    <Page title="Overview" actions={<SpanChoice days={days} choose={chooseSpan} />}>
      <ProblemNotice problem={overview.problem.value ?? worlds.problem.value} />
      <NeedsAttention />
      <Checklist steps={steps} />
      {overview.data.value && worlds.data.value ? (
        <>
          <Worlds overview={overview.data.value} />
          <KeyShares overview={overview.data.value} />
          <Errors overview={overview.data.value} />
        </>
      ) : (
        <div class="loading" aria-busy="true" />
      )}
    </Page>
  );
}

const shownWorlds = 12;

/** Worlds that were called first, then those that are online. */
function Worlds({ overview }: { overview: Overview }) {
  const figuresOf = new Map(overview.worlds.map((figures) => [figures.clientId, figures]));
  const called = overview.worlds
    .map(({ clientId }) => findWorld(clientId))
    .filter((world) => world !== undefined);
  const rest = (worlds.data.value ?? [])
    .filter(({ clientId }) => !figuresOf.has(clientId))
    .toSorted((one, other) => Number(other.isOnline ?? false) - Number(one.isOnline ?? false));
  const all = [...called, ...rest];
  return (
    <section>
      <div class="section-head">
        <h2>Worlds</h2>
        <a href="/dashboard/worlds">All worlds</a>
      </div>
      <ul class="rows">
        {all.slice(0, shownWorlds).map((world) => (
          <li class="figures" key={world.clientId}>
            <div class="figures-head">
              <h3>
                <a href={`/dashboard/worlds/${world.clientId}`}>{worldLabel(world)}</a>
              </h3>
              <OnlineState isOnline={world.isOnline} />
            </div>
            <WorldFigures world={world} figures={figuresOf.get(world.clientId)} hours={overview.hours} />
          </li>
        ))}
      </ul>
      {all.length > shownWorlds && (
        <p class="muted below">{all.length - shownWorlds} more worlds are not shown.</p>
      )}
    </section>
  );
}

function Errors({ overview }: { overview: Overview }) {
  if (overview.errors.length === 0) return null;
  return (
    <section>
      <h2>Errors</h2>
      <ErrorList overview={overview} />
    </section>
  );
}
