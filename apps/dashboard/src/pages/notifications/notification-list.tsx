import { useSignal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { Notification } from '@tabletop-relay/contract';
import { useEffect } from 'preact/hooks';
import { Ago } from '../../parts/ago.tsx';
import { announce } from '../../parts/announcer.tsx';
import { ProblemNotice } from '../../parts/problem.tsx';
import { State } from '../../parts/state.tsx';
import { api } from '../../request.ts';
import { keys } from '../../store.ts';
import { useAction } from '../../use-action.ts';

const states = {
  collecting: { tone: 'off', word: 'Collecting' },
  waiting: { tone: 'warn', word: 'Being tried' },
  sent: { tone: 'good', word: 'Sent' },
  failed: { tone: 'bad', word: 'Not delivered' },
} as const;

const pageSize = 20;
const lookEveryMs = 3_000;

/** Notifications, delivered or not, newest first. */
export function NotificationList() {
  const items = useSignal<Notification[] | undefined>(undefined);
  const cursor = useSignal<string | null>(null);
  const failedOnly = useSignal(false);
  const { run, isBusy, problem } = useAction(async (after?: string) => {
    const page = await api.listNotifications({
      limit: pageSize,
      ...(after !== undefined && { cursor: after }),
      ...(failedOnly.peek() && { status: 'failed' as const }),
    });
    items.value = after === undefined ? page.items : [...(items.peek() ?? []), ...page.items];
    cursor.value = page.nextCursor;
  });
  useEffect(() => void run(), [failedOnly.value]);
  useEffect(() => {
    if (!keys.data.peek()) void keys.reload();
  }, []);
  useLookAgain(items, () => void run());
  return (
    <section class="notification-list">
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
      {items.value?.length === 0 && (
        <p class="empty">{failedOnly.value ? 'Everything arrived, or is still tried.' : 'Nothing yet.'}</p>
      )}
      {items.value && items.value.length > 0 && (
        <ul class="rows">
          {items.value.map((one) => (
            <NotificationRow notification={one} onChange={() => void run()} key={one.id} />
          ))}
        </ul>
      )}
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

/** While something shown is under way, and none older was asked for, the newest are read again. */
function useLookAgain(items: ReadonlySignal<Notification[] | undefined>, readNewest: () => void): void {
  const shown = items.value ?? [];
  const isUnderWay =
    shown.length <= pageSize && shown.some(({ status }) => status === 'collecting' || status === 'waiting');
  useEffect(() => {
    if (!isUnderWay) return undefined;
    const timer = setInterval(() => document.visibilityState === 'visible' && readNewest(), lookEveryMs);
    return () => clearInterval(timer);
  }, [isUnderWay]);
}

/** The way to the key that it is about, where that is still there. */
function KeyOf({ id }: { id: string }) {
  const key = keys.data.value?.find((one) => one.id === id);
  if (!key) return null;
  return (
    <a href={`/dashboard/keys/${id}`} aria-label={`See the key ${key.name}`}>
      See the key
    </a>
  );
}

function NotificationRow({ notification, onChange }: { notification: Notification; onChange: () => void }) {
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
        {events.slice(0, 5).map(({ sentence, count, clientId, keyId }) => (
          <p key={`${sentence}${clientId}${keyId}`}>
            {sentence} {count > 1 && `${count} times.`} {keyId !== undefined && <KeyOf id={keyId} />}
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
