import { useSignal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import { assistantPresets } from '@tabletop-relay/contract';
import type { Scope, SignInRequest } from '@tabletop-relay/contract';
import { Ago } from '../../parts/ago.tsx';
import { Form, FormProblem } from '../../parts/form/form.tsx';
import { NotRead } from '../../parts/not-read.tsx';
import { Page } from '../../parts/page.tsx';
import { api } from '../../request.ts';
import { place } from '../../router.ts';
import { keys, now } from '../../store.ts';
import { useAction } from '../../use-action.ts';
import { useRequest } from '../../use-request.ts';
import { bodyOf, missingIn } from '../keys/key-terms.tsx';
import type { KeyTerms } from '../keys/key-terms.tsx';
import { PresetTerms } from '../assistants/preset-terms.tsx';
import type { Preset } from '../assistants/preset-terms.tsx';
import { Refused } from './refused-page.tsx';

/** The page to which the program of an assistant leads a person, who lets it in or not. */
export function ConsentPage() {
  const code = new URLSearchParams(place.value.search).get('code') ?? '';
  const { request, problem } = useRequest(api.getSignInRequest, code);
  /** Where the browser goes, once it was decided here. */
  const goesTo = useSignal<string | undefined>(undefined);
  if (problem.value?.code === 'not_found') return <Unknown />;
  if (problem.value?.code === 'forbidden') return <OtherBrowser />;
  if (problem.value || !request.value)
    return <NotRead title="A program asks to be signed in" problem={problem.value} narrow />;
  const { status, expiresAt, refusal } = request.value;
  if (refusal !== null) return <Refused why={refusal} />;
  if (status === 'pending' && Date.parse(expiresAt) > now.value)
    return <Decide code={code} request={request} goesTo={goesTo} />;
  return <Ended request={request.value} goesTo={goesTo.value} />;
}

const Unknown = () => (
  <Page title="No such request" narrow>
    <p>
      The link is incomplete, the request has expired, or somebody else has already decided it. Start again
      from the program.
    </p>
  </Page>
);

const OtherBrowser = () => (
  <Page title="Opened in another browser" narrow>
    <p class="lead">A program asked for this in another browser, and it is decided there alone.</p>
    <p>
      Did somebody send you this link? Then it would let <em>their</em> program into <em>your</em> worlds: do
      nothing. To sign in a program of your own, start from it, in this browser.
    </p>
  </Page>
);

interface DecideProps {
  code: string;
  request: Signal<SignInRequest | undefined>;
  goesTo: Signal<string | undefined>;
}

const [ask] = assistantPresets;

function Decide({ code, request, goesTo }: DecideProps) {
  const asked = request.value as SignInRequest;
  const preset = useSignal<Preset>(ask);
  const terms = useSignal<KeyTerms>({
    scopes: [...ask.scopes],
    clientIds: [],
    actingUserIds: null,
    monthlyLimit: '',
    expiresAt: null,
  });
  const { run, isBusy, problem } = useAction(async (verb: 'approve' | 'deny') => {
    const decision =
      verb === 'approve'
        ? await api.approveSignInRequest({ code, ...bodyOf(terms.value) })
        : await api.denySignInRequest({ code });
    goesTo.value = decision.redirectUrl;
    request.value = { ...asked, status: decision.status };
    location.assign(decision.redirectUrl);
    void keys.reload();
  });
  const missing = missingIn(terms.value);
  return (
    <Page title={`${asked.host ?? 'A program on this computer'} wants to use your worlds`} narrow>
      <Asker request={asked} />
      <Form
        class="sheet"
        problem={problem.value}
        send={() => {
          if (!missing) void run('approve');
        }}
      >
        <PresetTerms options={choicesFor(asked.scopes as Scope[])} preset={preset} terms={terms} />
        <FormProblem />
        {missing && <p class="muted">{missing}</p>}
        <div class="decision">
          <button class="primary" disabled={isBusy.value || missing !== undefined}>
            Let it in
          </button>
          <button type="button" disabled={isBusy.value} onClick={() => void run('deny')}>
            No
          </button>
        </div>
        <p class="hint">You can pause it or end it at any time under Keys.</p>
      </Form>
    </Page>
  );
}

/** The presets, and what the program asks for where that is none of them. */
function choicesFor(asked: readonly Scope[]): readonly Preset[] {
  const isPreset = assistantPresets.some(({ scopes }) => isSame(scopes, asked));
  if (asked.length === 0 || isPreset || isEverything(asked)) return assistantPresets;
  return [
    ...assistantPresets,
    { name: 'As it asks', what: 'What the program names, and nothing else.', scopes: asked },
  ];
}

const isSame = (one: readonly Scope[], other: readonly Scope[]) =>
  one.length === other.length && one.every((scope) => other.includes(scope));

/** Programs that know nothing better ask for all that there is: that is nobody's wish. */
const isEverything = (asked: readonly Scope[]) =>
  assistantPresets.every(({ scopes }) => scopes.every((scope) => asked.includes(scope)));

function Asker({ request }: { request: SignInRequest }) {
  const { clientName, host, requestedFrom, createdAt, replaces } = request;
  return (
    <>
      <dl>
        <dt>As it calls itself</dt>
        <dd>“{clientName}”</dd>
        <dt>Asked</dt>
        <dd>
          <Ago at={createdAt} /> from {requestedFrom}
        </dd>
      </dl>
      {host !== null && /(^|\.)xn--/.test(host) && (
        <p class="notice warn">
          <strong>Read this address twice.</strong> {host} stands for a name with letters beyond a to z, which
          can look like a name that you know.
        </p>
      )}
      {replaces && (
        <p class="notice">
          It is signed in already, as “{replaces.name}”, <Ago at={replaces.createdAt} />. That sign-in ends
          with this one.
        </p>
      )}
      <p>
        Anybody can call a program by any name.{' '}
        {host === null
          ? 'This one runs on the computer at which you sit. Let it in only if you have just started this from it yourself.'
          : `What counts is ${host}: it gets what you choose here. Let it in only if you have just started this there yourself.`}
      </p>
    </>
  );
}

function Ended({ request, goesTo }: { request: SignInRequest; goesTo: string | undefined }) {
  const { host, status } = request;
  const place = host ?? 'the program';
  const words: Record<SignInRequest['status'], [title: string, text: string]> = {
    pending: ['Too late', 'The request has expired. Start again from the program.'],
    expired: ['Too late', 'The request has expired. Start again from the program.'],
    approved: ['It is let in', `Go back to ${place}. You can close this page.`],
    denied: ['It is not let in', 'You can close this page.'],
    exchanged: ['It is signed in', 'You find it under Keys. You can close this page.'],
  };
  const [title, text] = words[status];
  return (
    <Page title={title} narrow>
      <div role="status">
        <p class="lead">{goesTo ? `Going back to ${place}…` : text}</p>
      </div>
      <p class="buttons">
        {goesTo && (
          <a class="button" href={goesTo}>
            Nothing happens? Go on here
          </a>
        )}
        {status !== 'denied' && status !== 'pending' && status !== 'expired' && (
          <a class="button" href="/dashboard/keys">
            See your keys
          </a>
        )}
      </p>
    </Page>
  );
}
