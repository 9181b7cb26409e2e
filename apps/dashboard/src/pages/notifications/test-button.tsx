import { useSignal } from '@preact/signals';
import type { NotificationTest } from '@tabletop-relay/contract';
import { ProblemNotice } from '../../parts/problem.tsx';
import { State } from '../../parts/state.tsx';
import { api } from '../../request.ts';
import { useAction } from '../../use-action.ts';

/** Sends a test message, and shows what went out and what came back. */
export function TestButton({ what, webhookId }: { what: string; webhookId?: string }) {
  const result = useSignal<NotificationTest | undefined>(undefined);
  const { run, isBusy, problem } = useAction(async () => {
    result.value = await api.testNotifications(webhookId === undefined ? {} : { webhookId });
  });
  const shown = result.value;
  return (
    <div class="test">
      <button
        type="button"
        aria-label={`Send a test to ${what}`}
        disabled={isBusy.value}
        onClick={() => void run()}
      >
        Send a test
      </button>
      <ProblemNotice problem={problem.value} />
      <div role="status">
        {shown && (
          <>
            <p>
              <State tone={shown.delivered ? 'good' : 'bad'} word={shown.delivered ? 'Arrived' : 'Failed'} />{' '}
              {shown.status !== null && `${shown.status} `}
              {shown.answer}
            </p>
            <details>
              <summary>What was sent</summary>
              <pre tabIndex={0}>{shown.sent}</pre>
            </details>
          </>
        )}
      </div>
    </div>
  );
}
