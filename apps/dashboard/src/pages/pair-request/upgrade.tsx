import { useSignal } from '@preact/signals';
import type { ConnectionToken, Scope } from '@tabletop-relay/contract';
import { Ago } from '../../parts/ago.tsx';
import { BrowserTermsFields, noTerms } from '../../parts/browser-terms.tsx';
import type { BrowserTerms } from '../../parts/browser-terms.tsx';
import { Page } from '../../parts/page.tsx';
import { ProblemNotice } from '../../parts/problem.tsx';
import { Trust, farReaching } from '../../parts/trust.tsx';
import { api } from '../../request.ts';
import { browsers, findWorld, nameOf } from '../../store.ts';
import { useAction } from '../../use-action.ts';
import { withoutPort } from '../../words/address.ts';
import { AskingWorld, titleOfWorld } from './asking-world.tsx';
import { DecisionForm } from './decision-form.tsx';
import type { DecideProps } from './grant.tsx';

/**
 * Asks what a world that is paired may do beyond. Anybody may know the world's id, so the person says which of its
 * browsers asks.
 */
export function Upgrade({
  code,
  request,
  clientId,
  decided,
}: Omit<DecideProps, 'reread'> & { clientId: string }) {
  const chosenId = useSignal<string | undefined>(undefined);
  const terms = useSignal<BrowserTerms>(noTerms);
  const isSure = useSignal(false);
  const paired = browsers.data.value?.filter((browser) => browser.clientId === clientId);
  const action = useAction(async (verb: 'grant' | 'deny') => {
    const { status } =
      verb === 'deny'
        ? await api.denyPairRequest({ code })
        : await api.approvePairRequest({ code, tokenId: chosenId.value, ...terms.value });
    void browsers.reload();
    decided(status);
  });
  const choose = (browser: ConnectionToken) => {
    chosenId.value = browser.id;
    terms.value = termsOf(browser);
  };
  const world = findWorld(clientId);
  const name = world ? nameOf(world) : titleOfWorld(request);
  const far = farReaching(terms.value.remoteScopes);
  const missing =
    chosenId.value === undefined
      ? 'Choose the browser that asks.'
      : far.length > 0 && !isSure.value
        ? 'Confirm that you trust it, or untick these permissions.'
        : undefined;
  return (
    <Page title={`${name} asks for more permissions`} narrow>
      <AskingWorld request={request} />
      <DecisionForm
        grant="Grant"
        action={action}
        missing={paired?.length === 0 ? noBrowser : paired ? missing : browsersNotRead()}
        hint="Only the browser that you choose changes. You can take the permissions back on the page of the world."
      >
        {!paired && <ProblemNotice problem={browsers.problem.value} />}
        {paired && paired.length > 0 && (
          <fieldset>
            <legend>Which browser asks?</legend>
            {paired.map((browser) => (
              <Choice
                browser={browser}
                isChosen={browser.id === chosenId.value}
                choose={() => choose(browser)}
                key={browser.id}
              />
            ))}
          </fieldset>
        )}
        {chosenId.value !== undefined && <BrowserTermsFields terms={terms} clientId={clientId} />}
        {far.length > 0 && <Trust name={name} where="the worlds above" scopes={far} isSure={isSure} />}
      </DecisionForm>
    </Page>
  );
}

/** Browsers that could not be read are not none. */
const browsersNotRead = () =>
  browsers.problem.value ? 'Your browsers could not be read.' : 'Reading your browsers…';

const noBrowser =
  'None of your paired browsers is of this world: it belongs to another account, or was unpaired. Deny it, and pair the world anew.';

const termsOf = ({ ipAllowlist, allowedTargetClients, remoteScopes }: ConnectionToken): BrowserTerms => ({
  ipAllowlist,
  allowedTargetClients,
  remoteScopes: remoteScopes as Scope[],
});

interface ChoiceProps {
  browser: ConnectionToken;
  isChosen: boolean;
  choose: () => void;
}

/** A browser in words by which its owner knows it. */
function Choice({ browser, isChosen, choose }: ChoiceProps) {
  const { name, isConnected, lastUsedAt, lastIpAddress, createdAt } = browser;
  return (
    <label class="choice">
      <input type="radio" name="browser" checked={isChosen} onChange={choose} />
      <span>
        {name}
        {isConnected === true && ', connected now'}{' '}
        <small class="muted">
          {lastUsedAt !== null && (
            <>
              last connected <Ago at={lastUsedAt} />
              {lastIpAddress && ` from ${withoutPort(lastIpAddress)}`},{' '}
            </>
          )}
          paired <Ago at={createdAt} />
        </small>
      </span>
    </label>
  );
}
