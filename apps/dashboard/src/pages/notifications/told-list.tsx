import { useSignal } from '@preact/signals';
import type { Notification } from '@tabletop-relay/contract';
import { useEffect } from 'preact/hooks';
import { Ago } from '../../parts/ago.tsx';
import { announce } from '../../parts/announcer.tsx';
import { ProblemNotice } from '../../parts/problem.tsx';
import { State } from '../../parts/state.tsx';
import { api } from '../../request.ts';
import { useAction } from '../../use-action.ts';

const states = {
  collecting: { tone: 'off', word: 'Collecting' },
  waiting: { tone: 'warn', word: 'Being tried' },
  sent: { tone: 'good', word: 'Sent' },
  failed: { tone: 'bad', word: 'Not delivered' },
} as const;

/** What was sent and what could not be delivered, newest first. */
export function ToldList() {
  const items = useSignal<Notification[] | undefined>(undefined);
  const cursor = useSignal<string | null>(null);
  const failedOnly = useSignal(false);
  const { run, isBusy, problem } = useAction(async (after?: string) => {
    const page = await api.listNotifications({
      limit: 20,
      ...(after !== undefined && { cursor: after }),
      ...(failedOnly.peek() && { status: 'failed' as const }),
    });
    items.value = after === undefined ? page.items : [...(items.peek() ?? []), ...page.items];
    cursor.value = page.nextCursor;
  });
  useEffect(() => void run(), [failedOnly.value]);
  return (
    <section>
      <h2>What you were told</h2>
      <label class="choice">
        <input
          type="checkbox"
          checked={failedOnly.value}
          onChange={(event) => (failedOnly.value = event.currentTarget.checked)}
        />
        <span>Only what could not be delivered</span>
      </label>
      <ProblemNotice problem={problem.value} />
      {items.value?.length === 0 && <p class="empty">Nothing yet.</p>}
      <ul class="rows">
        {items.value?.map((one) => (
          <ToldRow notification={one} onChange={() => void run()} key={one.id} />
        ))}
      </ul>
      {cursor.value !== null && (
        <button
          type="button"
          class="more"
          disabled={isBusy.value}
          onClick={() => void run(cursor.value ?? undefined)}
        >
          Show older
        </button>
      )}
    </section>
  );
}

function ToldRow({ notification, onChange }: { notification: Notification; onChange: () => void }) {
  const { id, label, status, events, eventCount, createdAt, tries, nextTryAt, answer } = notification;
  const { run, isBusy, problem } = useAction(async () => {
    await api.sendNotificationAgain({ id });
    announce('It is being sent again.');
    onChange();
  });
  const rest = eventCount - events.reduce((sum, { count }) => sum + count, 0);
  return (
    <li class="row">
      <div class="grow">
        <p>
          <State {...states[status]} /> to <strong>{label}</strong>, <Ago at={createdAt} />
        </p>
        {events.slice(0, 5).map(({ sentence, count, clientId }) => (
          <p key={`${sentence}${clientId}`}>
            {sentence} {count > 1 && `${count} times.`}
          </p>
        ))}
        {(events.length > 5 || rest > 0) && <p class="muted">{eventCount} events in all.</p>}
        {answer && status !== 'sent' && (
          <p class="muted">
            After {tries} {tries === 1 ? 'try' : 'tries'} the receiver said: {answer.status}{' '}
            {answer.text || 'nothing'}
            {status === 'waiting' && nextTryAt && (
              <>
                . Next try <Ago at={nextTryAt} />
              </>
            )}
          </p>
        )}
        <ProblemNotice problem={problem.value} />
      </div>
      {(status === 'failed' || status === 'sent') && (
        <button
          type="button"
          aria-label={`Send again to ${label}`}
          disabled={isBusy.value}
          onClick={() => void run()}
        >
          Send again
        </button>
      )}
    </li>
  );
}
