import { placeOf } from '@tabletop-relay/contract';
import type { ConnectionToken } from '@tabletop-relay/contract';
import { State } from '../../parts/state.tsx';
import { findWorld, nameOf } from '../../store.ts';

/** The end of pairing, and what comes next. */
export function PairedNotice({ browser }: { browser: ConnectionToken }) {
  const world = findWorld(browser.clientId);
  const name = world ? nameOf(world) : 'The world';
  return (
    <>
      <p class="lead">
        {browser.isConnected ? (
          <>
            <State tone="good" word="Online" /> <strong>{name}</strong> is connected{placeOf(browser.name)}.
          </>
        ) : (
          <>
            <State tone="warn" word="Waiting" /> <strong>{name}</strong> is paired{placeOf(browser.name)}.
            Waiting for it to connect…
          </>
        )}
      </p>
      <p>Programs call it with a key. Make one, or try a call here first.</p>
      <div class="buttons">
        <a class="button primary" href={`/dashboard/keys/new?world=${browser.clientId}`}>
          Create a key
        </a>
        <a class="button" href={`/dashboard/try?world=${browser.clientId}`}>
          Try a call
        </a>
        <a class="button" href={`/dashboard/worlds/${browser.clientId}`}>
          See the world
        </a>
      </div>
    </>
  );
}
