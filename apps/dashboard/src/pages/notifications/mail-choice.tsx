import type { Signal } from '@preact/signals';
import { useSignal } from '@preact/signals';
import { ProblemNotice } from '../../parts/problem.tsx';
import { account, api } from '../../request.ts';
import { useAction } from '../../use-action.ts';
import { TestButton } from './test-button.tsx';

/** Whether mails are sent; the address has to be confirmed first. */
export function MailChoice({ isOn, isAvailable }: { isOn: Signal<boolean>; isAvailable: boolean }) {
  const isSent = useSignal(false);
  const { run, isBusy, problem } = useAction(async () => {
    await api.sendConfirmation();
    isSent.value = true;
  });
  const me = account.value;
  if (!isAvailable) {
    return (
      <fieldset>
        <legend>Mail</legend>
        <p class="hint">This relay sends no mail. Webhooks work.</p>
      </fieldset>
    );
  }
  return (
    <fieldset class="field">
      <legend>Mail</legend>
      <label class="choice">
        <input
          type="checkbox"
          checked={isOn.value}
          onChange={(event) => (isOn.value = event.currentTarget.checked)}
        />
        <span>To {me?.email}</span>
      </label>
      {me?.emailConfirmed ? (
        <TestButton what="mail" />
      ) : (
        <>
          <p class="notice warn">Your address is not confirmed yet. Until then no mail is sent to it.</p>
          <ProblemNotice problem={problem.value} />
          <button type="button" disabled={isBusy.value} onClick={() => void run()}>
            Mail me a link
          </button>
          <p role="status">{isSent.value && 'A link is on its way.'}</p>
        </>
      )}
    </fieldset>
  );
}
