import type { Session } from '@tabletop-relay/contract';
import { useEffect } from 'preact/hooks';
import { Ago } from '../../parts/ago.tsx';
import { announce } from '../../parts/announcer.tsx';
import { ProblemNotice } from '../../parts/problem.tsx';
import { State } from '../../parts/state.tsx';
import { api } from '../../request.ts';
import { sessions } from '../../store.ts';
import { useAction } from '../../use-action.ts';

export function Sessions() {
  useEffect(() => void sessions.reload(), []);
  return (
    <section>
      <h2>Sessions</h2>
      <ProblemNotice problem={sessions.problem.value} />
      <ul class="rows">
        {sessions.data.value?.map((session) => (
          <SessionRow session={session} key={session.id} />
        ))}
      </ul>
    </section>
  );
}

function SessionRow({ session }: { session: Session }) {
  const { run, isBusy, problem } = useAction(async () => {
    await api.endSession({ id: session.id });
    await sessions.reload();
    announce('Session ended.');
  });
  return (
    <li class="row">
      <div class="grow">
        <p>
          <strong title={session.userAgent}>{session.device}</strong>{' '}
          {session.current && <State tone="good" word="This one" />}
        </p>
        <p class="muted">
          From {session.ipAddress}, last used <Ago at={session.lastUsedAt} />, signed in{' '}
          <Ago at={session.createdAt} />. <SessionEnd session={session} />
        </p>
        <ProblemNotice problem={problem.value} />
      </div>
      {!session.current && (
        <button
          type="button"
          aria-label={`End session in ${session.device}`}
          disabled={isBusy.value}
          onClick={() => void run()}
        >
          End session
        </button>
      )}
    </li>
  );
}

/** The nearer of its two ends, and whether using it puts that off. */
function SessionEnd({ session: { expiresAt, idleExpiresAt } }: { session: Session }) {
  return (
    <>
      Ends <Ago at={idleExpiresAt} />
      {idleExpiresAt < expiresAt && ', unless it is used before'}.
    </>
  );
}
