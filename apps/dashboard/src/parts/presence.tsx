import { placeOf } from '@tabletop-relay/contract';
import type { KnownClient } from '@tabletop-relay/contract';
import { isAway } from '../store.ts';
import { Ago } from './ago.tsx';

/** Where a world is connected, or when and where it was last. */
export function Presence({ world }: { world: KnownClient }) {
  const { isOnline, tokenName, connectedSince, lastSeenAt } = world;
  const where = placeOf(tokenName ?? '').trim();
  if (isAway.value) return <>{where && `Last seen ${where}`}</>;
  if (isOnline && connectedSince) {
    return (
      <>
        {where} for <Ago at={connectedSince} lasting />
      </>
    );
  }
  if (isOnline) return <>{where || 'connected'}</>;
  if (!lastSeenAt) return <>Paired, never connected</>;
  return (
    <>
      Last seen <Ago at={lastSeenAt} /> {where}
    </>
  );
}
