import type { HeadlessSession } from '@tabletop-relay/contract';
import { Ago } from '../../parts/ago.tsx';
import { KeyLink } from '../../parts/key-link.tsx';
import { State } from '../../parts/state.tsx';
import { EndSession } from './end-session.tsx';
import { isRunning, sessionName } from './running.ts';
import { SessionConsole } from './session-console.tsx';
import { SessionPicture } from './session-picture.tsx';
import { StageLine } from './stage-line.tsx';

const states = {
  starting: { tone: 'warn', word: 'Starting' },
  active: { tone: 'good', word: 'Running' },
  ending: { tone: 'warn', word: 'Ending' },
  ended: { tone: 'off', word: 'Ended' },
  failed: { tone: 'bad', word: 'Failed' },
} as const;

export function SessionRow({ session }: { session: HeadlessSession }) {
  const { id, state, detail, clientId } = session;
  const name = sessionName(session);
  const isLive = isRunning(session);
  return (
    <li class="row session">
      <div class="grow">
        <h2>
          {clientId ? <a href={`/dashboard/worlds/${clientId}`}>{name}</a> : name}{' '}
          <State {...states[state]} />
        </h2>
        <Facts session={session} />
        {(state === 'starting' || state === 'failed') && <StageLine session={session} />}
        {detail && <p class={state === 'failed' ? 'notice bad' : 'muted'}>{detail}</p>}
        <div class="session-views">
          {(isLive || session.hasPicture) && <SessionPicture id={id} isLive={isLive} name={name} />}
          {session.hasConsole && <SessionConsole id={id} name={name} isLive={isLive} />}
        </div>
      </div>
      {isLive && <EndSession session={session} quiet />}
    </li>
  );
}

function Facts({ session }: { session: HeadlessSession }) {
  const { username, tabletopUrl, createdAt, lastActivityAt, endedAt, state } = session;
  return (
    <p class="muted">
      {username} at <span class="address">{tabletopUrl}</span> · started <Ago at={createdAt} /> by{' '}
      {session.startedBy === null ? 'you' : <KeyLink id={session.startedBy} name="a key" />}
      {state === 'active' && (
        <>
          {' '}
          · last used <Ago at={lastActivityAt} />
        </>
      )}
      {endedAt && (
        <>
          {' '}
          · {state} <Ago at={endedAt} />
        </>
      )}
    </p>
  );
}
