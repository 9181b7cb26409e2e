import type { HeadlessSession } from '@tabletop-relay/contract';
import { useEffect } from 'preact/hooks';
import { Listed } from '../../parts/listed.tsx';
import { Page } from '../../parts/page.tsx';
import { headlessSessions, keys } from '../../store.ts';
import { SessionRow } from './session-row.tsx';

const lookEveryMs = 2_000;

/** The account's hosted worlds, which the API calls headless sessions: those that start and run, and those that are over for a day. */
export function SessionsPage() {
  useEffect(() => {
    void keys.reload();
    void headlessSessions.reload();
    // The stages of a start pass within seconds and have no events.
    const timer = setInterval(
      () => document.visibilityState === 'visible' && void headlessSessions.reload(),
      lookEveryMs,
    );
    return () => clearInterval(timer);
  }, []);
  return (
    <Page
      title="Hosted worlds"
      actions={
        <a class="button primary" href="/dashboard/sessions/new">
          Host a world
        </a>
      }
    >
      <Listed of={headlessSessions} empty={<NoSessions />}>
        {(sessions) => <Sessions sessions={sessions} />}
      </Listed>
    </Page>
  );
}

function Sessions({ sessions }: { sessions: HeadlessSession[] }) {
  const live = sessions.filter(({ endedAt }) => endedAt === null);
  const over = sessions.filter(({ endedAt }) => endedAt !== null);
  return (
    <>
      {live.length > 0 ? <Rows sessions={live} /> : <p class="lead">No world is hosted now.</p>}
      {over.length > 0 && (
        <section>
          <h2>Over in the last 24 hours</h2>
          <Rows sessions={over} />
        </section>
      )}
    </>
  );
}

const Rows = ({ sessions }: { sessions: HeadlessSession[] }) => (
  <ul class="rows">
    {sessions.map((session) => (
      <SessionRow session={session} key={session.id} />
    ))}
  </ul>
);

function NoSessions() {
  return (
    <section class="empty">
      <h2>No hosted worlds yet</h2>
      <p>
        A world answers while somebody has it open. A hosted world is open in a browser of the relay, which
        logs in to your tabletop as a user that you name, and stays until nobody needs it.
      </p>
      <a class="button primary" href="/dashboard/sessions/new">
        Host a world
      </a>
    </section>
  );
}
