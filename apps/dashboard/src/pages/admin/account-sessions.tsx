import type { AdminAccount } from '@tabletop-relay/contract';
import { useEffect, useMemo } from 'preact/hooks';
import { Ago } from '../../parts/ago.tsx';
import { announce } from '../../parts/announcer.tsx';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { ProblemNotice } from '../../parts/problem.tsx';
import { api, readAll } from '../../request.ts';
import { createResource } from '../../resource.ts';
import { withoutPort } from '../../words/address.ts';

/** Where somebody is signed in, and the way to end it. */
export function AccountSessions({ account: { id, email } }: { account: AdminAccount }) {
  const sessions = useMemo(
    () => createResource(() => readAll((page) => api.listAccountSessions({ id, ...page }))),
    [id],
  );
  useEffect(() => void sessions.reload(), [sessions]);
  const known = sessions.data.value;
  const end = async (sessionId: string) => {
    await api.endAccountSession({ id, sessionId });
    announce('Session ended.');
    await sessions.reload();
  };
  const endAll = async () => {
    await api.endAccountSessions({ id });
    announce(`All sessions of ${email} ended.`);
    await sessions.reload();
  };
  return (
    <div class="edit account-sessions">
      <ProblemNotice problem={sessions.problem.value} />
      {!known && !sessions.problem.value && <div class="loading-part" aria-busy="true" />}
      {known?.length === 0 && <p class="muted">Nobody is signed in.</p>}
      <ul>
        {known?.map(({ id: sessionId, device, ipAddress, lastUsedAt, createdAt }) => (
          <li class="row" key={sessionId}>
            <p class="grow">
              {device}{' '}
              <span class="muted">
                {ipAddress && `from ${withoutPort(ipAddress)}, `}last used <Ago at={lastUsedAt} />, signed in{' '}
                <Ago at={createdAt} />
              </span>
            </p>
            <ConfirmButton
              label="End"
              title={`End the session in ${device}?`}
              action={() => end(sessionId)}
              quiet
            >
              <p>Whoever uses it is signed out at once, and the account’s log names you.</p>
            </ConfirmButton>
          </li>
        ))}
      </ul>
      {known && known.length > 1 && (
        <ConfirmButton label="End all sessions" title={`End all sessions of ${email}?`} action={endAll}>
          <p>Everybody who is signed in to this account is signed out at once. Its keys and worlds go on.</p>
        </ConfirmButton>
      )}
    </div>
  );
}
