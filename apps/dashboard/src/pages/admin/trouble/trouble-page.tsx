import { useMemo } from 'preact/hooks';
import { Page } from '../../../parts/page.tsx';
import { ProblemNotice } from '../../../parts/problem.tsx';
import { account, api } from '../../../request.ts';
import { createResource } from '../../../resource.ts';
import { navigate, place } from '../../../router.ts';
import { Instances } from '../instances.tsx';
import { NotForYou } from '../not-for-you.tsx';
import { useWhileSeen } from '../use-while-seen.ts';
import { Findings } from './findings.tsx';
import { QueuesPart } from './queues.tsx';
import { RelayCalls, SlowAccounts } from './relay-calls.tsx';
import type { RelaySpan } from './relay-calls.tsx';
import { Runbooks } from './runbooks.tsx';

const overviewEveryMs = 15_000;

/** What an operator looks at when something is wrong with the relay. */
export function TroublePage() {
  if (!account.value) return <main class="loading" aria-busy="true" />;
  if (!account.value.isAdministrator) return <NotForYou title="Trouble" />;
  return (
    <Page
      title="Trouble"
      actions={
        <a class="button" href="/dashboard/admin">
          Accounts and instances
        </a>
      }
    >
      <Findings />
      <Overview />
      <Instances />
      <QueuesPart />
      <Runbooks />
    </Page>
  );
}

function Overview() {
  const span: RelaySpan = new URLSearchParams(place.value.search).get('time') === 'day' ? 'day' : 'hour';
  const overview = useMemo(() => createResource(() => api.getRelayOverview({ span })), [span]);
  useWhileSeen(overview, overviewEveryMs);
  const choose = (next: RelaySpan) =>
    navigate(next === 'hour' ? '/dashboard/admin/trouble' : `/dashboard/admin/trouble?time=${next}`, {
      replace: true,
    });
  return (
    <>
      <ProblemNotice problem={overview.problem.value} />
      <RelayCalls overview={overview.data.value} span={span} choose={choose} />
      <SlowAccounts overview={overview.data.value} />
    </>
  );
}
