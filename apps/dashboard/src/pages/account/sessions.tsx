import { useSignal } from '@preact/signals';
import type { Session } from '@tabletop-relay/contract';
import { useEffect } from 'preact/hooks';
import { Ago } from '../../parts/ago.tsx';
import { announce } from '../../parts/announcer.tsx';
import { ProblemNotice } from '../../parts/problem.tsx';
import type { Proof } from '../../parts/second-factor/password-form.tsx';
import { State } from '../../parts/state.tsx';
import { api } from '../../request.ts';
import { sessions } from '../../store.ts';
import { withoutPort } from '../../words/address.ts';
import { PasswordDialog } from './password-dialog.tsx';

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
  const isAsked = useSignal(false);
  const close = () => (isAsked.value = false);
  const act = async (proof: Proof) => {
    await api.endSession({ id: session.id, ...proof });
    close();
    announce('Session ended.');
    await sessions.reload();
  };
  return (
    <li class="row">
      <div class="grow">
        <p>
          <strong title={session.userAgent}>{session.device}</strong>{' '}
          {session.current && <State tone="good" word="This one" />}
        </p>
        <p class="muted">
          {session.ipAddress ? `From ${withoutPort(session.ipAddress)}, last` : 'Last'} used{' '}
          <Ago at={session.lastUsedAt} />, signed in <Ago at={session.createdAt} />.{' '}
          <SessionEnd session={session} />
        </p>
      </div>
      {!session.current && (
        <button
          type="button"
          aria-label={`End session in ${session.device}`}
          onClick={() => (isAsked.value = true)}
        >
          End session
        </button>
      )}
      {isAsked.value && (
        <PasswordDialog
          id="session-end"
          title={`End the session in ${session.device}?`}
          verb="End session"
          act={act}
          close={close}
        >
          <p>Whoever is using it is signed out at once. Enter your password to confirm.</p>
        </PasswordDialog>
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
