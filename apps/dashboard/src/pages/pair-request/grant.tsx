import { useSignal } from '@preact/signals';
import type { PairRequest } from '@tabletop-relay/contract';
import { BrowserTermsFields, noTerms } from '../../parts/browser-terms.tsx';
import { Page } from '../../parts/page.tsx';
import { Trust, farReaching } from '../../parts/trust.tsx';
import { api } from '../../request.ts';
import { useAction } from '../../use-action.ts';
import { readPaired } from '../pair/codes.ts';
import type { AwaitedBrowser } from '../pair/codes.ts';
import { AskingWorld, titleOfWorld } from './asking-world.tsx';
import { Becomes, isAtNewAddress } from './becomes.tsx';
import { DecisionForm } from './decision-form.tsx';

export interface DecideProps {
  code: string;
  request: PairRequest;
  /** Reads the request anew. */
  reread: () => Promise<void>;
  /** Called after the decision, and when the browser has paired. */
  decided: (status: PairRequest['status'], awaited?: AwaitedBrowser) => void;
}

/** Asks whether a world may be paired, and what its browser may do beside being its world. */
export function Grant({ code, request, reread, decided }: DecideProps) {
  const terms = useSignal(noTerms);
  const isSure = useSignal(false);
  const isOwn = useSignal(false);
  const action = useAction(async (verb: 'grant' | 'deny') => {
    if (verb === 'deny') {
      const { status } = await api.denyPairRequest({ code });
      return decided(status);
    }
    const pairedBefore = await readPaired();
    const joinsClientId = request.joins?.clientId;
    const approving = api.approvePairRequest({ code, joinsClientId, ...terms.value });
    // Refused where it would become another world by now: the person is shown which.
    const { status } = await approving.catch(async (error: unknown) => {
      isOwn.value = false;
      await reread();
      throw error;
    });
    decided(status, { clientId: joinsClientId, pairedBefore });
  });
  const far = farReaching(terms.value.remoteScopes);
  const missing =
    isAtNewAddress(request) && !isOwn.value
      ? 'Say that it is your own tabletop, or deny it.'
      : far.length > 0 && !isSure.value
        ? 'Confirm that you trust it, or untick these permissions.'
        : undefined;
  return (
    <Page title={`${titleOfWorld(request)} asks to be paired`} narrow>
      <AskingWorld request={request} />
      <Becomes request={request} isOwn={isOwn} />
      <DecisionForm
        grant={request.joins ? 'Pair this browser' : 'Pair this world'}
        action={action}
        missing={missing}
        hint="The browser that it is open in can then connect as this world, and programs with a key of yours can act in it. You can unpair it at any time on the page of the world."
      >
        <details class="options">
          <summary>Options: where from, and other worlds</summary>
          <p class="hint">
            By default the browser may connect from anywhere, and its module acts on its own world alone.
          </p>
          <BrowserTermsFields terms={terms} />
        </details>
        {far.length > 0 && (
          <Trust name={titleOfWorld(request)} where="the worlds above" scopes={far} isSure={isSure} />
        )}
      </DecisionForm>
    </Page>
  );
}
