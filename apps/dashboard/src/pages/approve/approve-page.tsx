import { useSignal } from '@preact/signals';
import type { KeyRequest, Scope } from '@tabletop-relay/contract';
import { scopesFor } from '../../parts/acting-users.tsx';
import { NotRead } from '../../parts/not-read.tsx';
import { Page } from '../../parts/page.tsx';
import { ScopePicker } from '../../parts/scope-picker.tsx';
import { Trust, farReaching } from '../../parts/trust.tsx';
import { api } from '../../request.ts';
import { keys, now, worlds } from '../../store.ts';
import { useAction } from '../../use-action.ts';
import { useRequest } from '../../use-request.ts';
import { KeyLimits, bodyOf, missingIn } from '../keys/key-terms.tsx';
import type { KeyTerms } from '../keys/key-terms.tsx';
import { Asker } from './asker.tsx';
import { Ended } from './ended.tsx';
import { Form, FormProblem } from '../../parts/form/form.tsx';

/** The page to which a program sends a person who shall let it in. */
export function ApprovePage({ code }: { code: string }) {
  const { request, problem } = useRequest(api.getKeyRequest, code);
  if (problem.value?.code === 'not_found') return <Unknown />;
  if (problem.value || !request.value)
    return <NotRead title="A program asks" problem={problem.value} narrow />;
  const { status, expiresAt } = request.value;
  if (status === 'pending' && Date.parse(expiresAt) > now.value) {
    return <Decide code={code} request={request.value} decided={(next) => (request.value = next)} />;
  }
  return <Ended request={request.value} status={status === 'pending' ? 'expired' : status} />;
}

function Unknown() {
  return (
    <Page title="No such request" narrow>
      <p>
        The link is incomplete, the request has expired, or somebody else has already decided it. Ask the
        program to try again.
      </p>
    </Page>
  );
}

/** Those that are worlds of the account, as soon as these are known. */
function ownOf(clientIds: string[] | null): string[] | null {
  const own = worlds.data.value;
  return own && clientIds ? clientIds.filter((id) => own.some(({ clientId }) => clientId === id)) : clientIds;
}

interface DecideProps {
  code: string;
  request: KeyRequest;
  decided: (request: KeyRequest) => void;
}

function Decide({ code, request, decided }: DecideProps) {
  const asked = request.scopes as Scope[];
  const terms = useSignal<KeyTerms>({
    scopes: asked,
    clientIds: request.suggestedClientIds.length > 0 ? request.suggestedClientIds : null,
    actingUserIds: request.suggestedActingUserIds,
    monthlyLimit: request.suggestedMonthlyLimit === null ? '' : String(request.suggestedMonthlyLimit),
    expiresAt: request.suggestedExpiry,
  });
  const chosen = { ...terms.value, clientIds: ownOf(terms.value.clientIds) };
  const { run, isBusy, problem } = useAction(async (verb: 'approve' | 'deny') => {
    const decision =
      verb === 'approve'
        ? await api.approveKeyRequest({ code, ...bodyOf(chosen) })
        : await api.denyKeyRequest({ code });
    decided({ ...request, status: decision.status });
    if (decision.redirectUrl) location.assign(decision.redirectUrl);
    else void keys.reload();
  });
  const far = farReaching(bodyOf(chosen).scopes);
  const isSure = useSignal(false);
  const missing =
    missingIn(chosen) ??
    (far.length > 0 && !isSure.value ? 'Confirm that you trust it, or remove these permissions.' : undefined);
  return (
    <Page title={`${request.appName} asks for a key`} narrow>
      <Asker request={request} />
      <Form
        class="sheet"
        problem={problem.value}
        send={() => {
          if (!missing) void run('approve');
        }}
      >
        <ScopePicker
          legend="It will be able to"
          offered={scopesFor(terms.value.actingUserIds, asked)}
          chosen={terms.value.scopes}
          onChange={(scopes) => (terms.value = { ...terms.value, scopes })}
        />
        {(ownOf(request.suggestedClientIds) ?? []).length < request.suggestedClientIds.length && (
          <p class="notice warn">It also names worlds that are not yours. The key will not reach those.</p>
        )}
        {request.suggestedActingUserIds && (
          <p class="notice">It asks to act as a user of your world, and not with the game master’s rights.</p>
        )}
        <KeyLimits terms={terms} />
        {far.length > 0 && <Trust name={request.appName} where="my world" scopes={far} isSure={isSure} />}
        <FormProblem />
        {missing && <p class="muted">{missing}</p>}
        <div class="decision">
          <button class="primary" disabled={isBusy.value || missing !== undefined}>
            Approve
          </button>
          <button type="button" disabled={isBusy.value} onClick={() => void run('deny')}>
            Deny
          </button>
        </div>
        <p class="hint">You can revoke the key at any time under Keys.</p>
      </Form>
    </Page>
  );
}
