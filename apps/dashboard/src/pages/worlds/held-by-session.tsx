import type { KnownClient } from '@tabletop-relay/contract';
import { useEffect } from 'preact/hooks';
import { headlessSessions } from '../../store.ts';
import { EndSession } from '../sessions/end-session.tsx';
import { isRunning } from '../sessions/running.ts';

/** Says that a browser of the relay has the world, because the game master's own does not serve it for as long. */
export function HeldBySession({ world }: { world: KnownClient }) {
  const { clientId, isOnline, connectedSince } = world;
  useEffect(() => void headlessSessions.reload(), [isOnline, connectedSince]);
  const session = headlessSessions.data.value?.find((one) => one.clientId === clientId && isRunning(one));
  if (!session) return null;
  return (
    <div class="notice warn held">
      <p>
        <strong>The relay hosts this world, as {session.username}.</strong> Your own tab connects by itself
        once that ends. Look at <a href="/dashboard/sessions">hosted worlds</a>, or stop hosting to use your
        own tab now.
      </p>
      <EndSession session={session} />
    </div>
  );
}
