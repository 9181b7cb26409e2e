import { useSignal } from '@preact/signals';
import type { PairRequest } from '@tabletop-relay/contract';
import { NotRead } from '../../parts/not-read.tsx';
import { Page } from '../../parts/page.tsx';
import { api } from '../../request.ts';
import { now } from '../../store.ts';
import { useRequest } from '../../use-request.ts';
import type { AwaitedBrowser } from '../pair/codes.ts';
import { PairedNotice } from '../pair/paired-notice.tsx';
import { usePairedBrowser } from '../pair/use-paired-browser.ts';
import { Ended } from './ended.tsx';
import { Grant } from './grant.tsx';
import { Upgrade } from './upgrade.tsx';

/** The page that a module opens: the world asks to be paired, or to be allowed more. */
export function PairRequestPage({ code }: { code: string }) {
  const { request, problem, read } = useRequest(api.getPairRequest, code);
  const awaited = useSignal<AwaitedBrowser | undefined>(undefined);
  const paired = usePairedBrowser(awaited);
  if (problem.value?.code === 'not_found') return <Unknown />;
  if (problem.value || !request.value) return <NotRead title="A world asks" problem={problem.value} narrow />;
  if (paired.value) {
    return (
      <Page title={paired.value.isConnected ? 'Connected' : 'Paired'} narrow>
        <PairedNotice browser={paired.value} />
      </Page>
    );
  }
  const { status, expiresAt, clientId } = request.value;
  if (status !== 'pending') return <Ended request={request.value} status={status} />;
  if (Date.parse(expiresAt) <= now.value) return <Ended request={request.value} status="expired" />;
  const decided = (status: PairRequest['status'], next?: AwaitedBrowser) => {
    if (request.value) request.value = { ...request.value, status };
    awaited.value = next;
  };
  return clientId === null ? (
    <Grant code={code} request={request.value} reread={read} decided={decided} />
  ) : (
    <Upgrade code={code} request={request.value} clientId={clientId} decided={decided} />
  );
}

function Unknown() {
  return (
    <Page title="No such request" narrow>
      <p>
        The link is incomplete, the request has expired, or somebody else has already decided it. Press the
        button to pair in your tabletop again.
      </p>
    </Page>
  );
}
