import { useComputed, useSignal } from '@preact/signals';
import { operations } from '@tabletop-relay/contract';
import { announce } from '../../parts/announcer.tsx';
import { Question } from '../../parts/confirm.tsx';
import { Page } from '../../parts/page.tsx';
import { place } from '../../router.ts';
import { findWorld, nameOf, worlds } from '../../store.ts';
import { useAction } from '../../use-action.ts';
import { Answer } from './answer.tsx';
import type { CallAnswer } from './answer.tsx';
import { KeyChoice } from './key-choice.tsx';
import { destroyWords } from './destroys.ts';
import { OperationChoice } from './operation-choice.tsx';
import { ParameterForm } from './form/parameter-form.tsx';
import { readForm, startForm } from './form/call-form.ts';
import { codeOf } from './code/api-call.ts';
import { SameCall } from './code/same-call.tsx';
import { sendCall } from './send-call.ts';
import { isPausedWorld, PausedQuestion } from './paused-question.tsx';
import { tryKeys, whilePaused } from './try-key.ts';
import { useRepeatedCall } from './use-repeated-call.ts';
import { WorldChoice } from './world-choice.tsx';
import { Form, FormProblem } from '../../parts/form/form.tsx';

const operationNamed = (name: string | null) =>
  operations.find((operation) => operation.name === (name ?? 'skill-check')) ?? operations[0];

/** Query of a link to this page. */
const wished = (name: string) => new URLSearchParams(place.value.search).get(name);

export function TryPage() {
  const world = useSignal(wished('world') ?? '');
  const form = useSignal(startForm(operationNamed(wished('operation'))));
  const repeated = useRepeatedCall(wished('call'), form);
  const pasted = useSignal<string | undefined>(undefined);
  const isAsked = useSignal(false);
  const answer = useSignal<CallAnswer | undefined>(undefined);
  const clientId = world.value || bestWorld();
  const reading = useComputed(() => readForm(form.value));
  const apiKey = (pasted.value ?? tryKeys.keyFor(clientId)) || 'YOUR_KEY';
  const call = { ...reading.value, operation: form.value.operation, clientId };
  const sendWith = async (apiKey: string) => {
    answer.value = await sendCall(call, apiKey);
    if (answer.value.status === 401) tryKeys.drop(apiKey);
    announce(`Answered with status ${answer.value.status}.`);
    // On a phone the answer is below the form.
    requestAnimationFrame(() => document.querySelector('.answer')?.scrollIntoView({ block: 'nearest' }));
  };
  const { run, isBusy, problem } = useAction(async () =>
    sendWith(pasted.value ?? (await tryKeys.make(clientId))),
  );
  const called = findWorld(clientId);
  if (worlds.data.value?.length === 0) return <NoWorld />;
  const { badField } = reading.value;
  const destroys =
    call.operation.effect === 'destroys' ? destroyWords(call.operation, call.parameters) : undefined;
  const canSend = Boolean(clientId) && badField === undefined && pasted.value !== '';
  return (
    <Page title="Try it">
      <div class="try">
        <Form
          class="sheet"
          problem={problem.value}
          send={() => (destroys ? (isAsked.value = true) : void run())}
        >
          <WorldChoice value={clientId} onChange={(next) => (world.value = next)} />
          <OperationChoice
            operation={form.value.operation}
            onChange={(next) => {
              form.value = startForm(next);
              answer.value = undefined;
            }}
          />
          <Notice text={repeated.value} />
          <ParameterForm form={form} clientId={clientId} />
          <KeyChoice pasted={pasted} />
          <Notice text={badField && `${badField} is not JSON. Check quotes and brackets.`} />
          <FormProblem />
          <SendButton isBusy={isBusy.value} canSend={canSend} destroys={destroys} />
        </Form>
        <div class="results">
          {answer.value && isPausedWorld(answer.value) && pasted.value === undefined && (
            <PausedQuestion
              name={called ? nameOf(called) : 'The world'}
              send={() => whilePaused(clientId, sendWith)}
            />
          )}
          {answer.value ? (
            <Answer answer={answer.value} />
          ) : (
            <p class="placeholder muted">The world’s answer appears here.</p>
          )}
          <SameCall title="The same call" call={codeOf(call)} apiKey={apiKey} />
        </div>
      </div>
      {destroys && isAsked.value && (
        <Question
          label={destroys}
          title={`${destroys} in ${called ? nameOf(called) : 'the world'}?`}
          action={async () => void (await run())}
          close={() => (isAsked.value = false)}
        >
          <p>It is carried out in the world itself, and no other call can undo it.</p>
        </Question>
      )}
    </Page>
  );
}

const Notice = ({ text }: { text: string | undefined }) => (text ? <p class="notice warn">{text}</p> : null);

interface SendButtonProps {
  isBusy: boolean;
  canSend: boolean;
  /** What it destroys, in words. */
  destroys: string | undefined;
}

function SendButton({ isBusy, canSend, destroys }: SendButtonProps) {
  return (
    <div class="send">
      <button class={destroys ? 'bad strong' : 'primary'} disabled={isBusy || !canSend}>
        {isBusy ? 'Calling…' : (destroys ?? 'Send call')}
      </button>
    </div>
  );
}

const bestWorld = (): string =>
  (worlds.data.value?.find(({ isOnline }) => isOnline) ?? worlds.data.value?.[0])?.clientId ?? '';

function NoWorld() {
  return (
    <Page title="Try it">
      <section class="empty">
        <h2>No world to call yet</h2>
        <p>Pair one first; then every operation can be called from here.</p>
        <a class="button primary" href="/dashboard/pair">
          Pair a world
        </a>
      </section>
    </Page>
  );
}
