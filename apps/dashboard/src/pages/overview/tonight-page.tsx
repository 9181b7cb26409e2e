import type { KnownClient, Overview } from '@tabletop-relay/contract';
import { Page } from '../../parts/page.tsx';
import { ProblemNotice } from '../../parts/problem.tsx';
import { OnlineState, State } from '../../parts/state.tsx';
import { navigate, place } from '../../router.ts';
import { keys, usesSettleMs, worldLabel, worlds } from '../../store.ts';
import { useReload } from '../../use-reload.ts';
import { PauseButton } from '../worlds/pause-world.tsx';
import { Presence } from '../../parts/presence.tsx';
import { Callers } from './callers.tsx';
import { Checklist } from './checklist.tsx';
import { ErrorList } from './error-list.tsx';
import { Figures } from './figures.tsx';
import { firstSteps } from './first-steps.ts';
import { KeyShares } from './key-shares.tsx';
import { LastCalls } from './last-calls.tsx';
import { NeedsAttention } from './needs-attention.tsx';
import { OfflineWorlds } from './offline-worlds.tsx';
import { SpanChoice, spanOf } from './span-choice.tsx';
import type { Span } from './span-choice.tsx';
import { useOverview } from './use-overview.ts';

const chooseSpan = (span: Span) =>
  navigate(span === 'hour' ? '/dashboard' : `/dashboard?time=${span}`, { replace: true });

/** The home: is my world connected, who calls it, and what stops them. */
export function TonightPage() {
  const span = spanOf(new URLSearchParams(place.value.search).get('time'));
  const overview = useOverview(span);
  // Who calls now is told by the last use of each key.
  useReload(keys, usesSettleMs);
  const all = worlds.data.value;
  const steps = firstSteps({ worlds: all, keys: keys.data.value, overview: overview.data.value });
  if (all?.length === 0) {
    return (
      <Page title="Tonight">
        <NeedsAttention />
        <Checklist steps={steps} />
      </Page>
    );
  }
  const figures = overview.data.value;
  const offline = all?.filter(({ isOnline }) => isOnline === false) ?? [];
  const online = all?.filter(({ isOnline }) => isOnline !== false) ?? [];
  return (
    <Page title="Tonight" actions={<SpanChoice span={span} choose={chooseSpan} />}>
      <ProblemNotice problem={overview.problem.value ?? worlds.problem.value} />
      <NeedsAttention />
      <Checklist steps={steps} />
      {all && figures ? (
        <>
          <OnlineWorlds worlds={online} overview={figures} span={span} />
          <LastCalls />
          <Figures overview={figures} span={span} />
          <KeyShares overview={figures} />
          <Errors overview={figures} span={span} />
          <OfflineWorlds worlds={offline} isOpen={online.length === 0} />
        </>
      ) : (
        <div class="loading" aria-busy="true" />
      )}
    </Page>
  );
}

interface OnlineWorldsProps {
  worlds: readonly KnownClient[];
  overview: Overview;
  span: Span;
}

function OnlineWorlds({ worlds: online, overview, span }: OnlineWorldsProps) {
  return (
    <section>
      <div class="section-head">
        <h2>Worlds online</h2>
        <a href="/dashboard/worlds">All worlds</a>
      </div>
      {online.length === 0 && (
        <p class="muted">None of your worlds is online. One comes online when its tabletop opens it.</p>
      )}
      <ul class="rows">
        {online.map((world) => (
          <li class="online-world" key={world.clientId}>
            <div class="online-head">
              <OnlineState isOnline={world.isOnline} />
              {world.pauses.length > 0 && <State tone="warn" word="Paused" />}
              <h3>
                <a href={`/dashboard/worlds/${world.clientId}`}>{worldLabel(world)}</a>
              </h3>
              <span class="muted grow">
                <Presence world={world} />
              </span>
              <PauseButton world={world} />
            </div>
            <Callers overview={overview} clientId={world.clientId} span={span} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Errors({ overview, span }: { overview: Overview; span: Span }) {
  if (overview.errors.length === 0) return null;
  return (
    <section>
      <h2>Errors</h2>
      <ErrorList overview={overview} span={span} />
    </section>
  );
}
