import type { CallRecord } from '@tabletop-relay/contract';
import { findWorld, worldLabel, worlds } from '../../../store.ts';
import type { Entry } from '../entries.tsx';
import { CallDetail } from './call-detail.tsx';
import { inMs } from '../../../words/times.ts';
import { callWords } from './call-words.ts';

/** A call as a line of the feed. */
export function fromCall(call: CallRecord): Entry {
  return {
    ...callWords(call),
    id: call.id,
    at: call.at,
    clientId: call.clientId,
    facts: [],
    isSample: call.standsFor > 1,
    // Calls may come before the worlds are known.
    aside: () =>
      [
        ...(call.oldValue ? ['old value'] : []),
        ...(call.replayed ? ['repeat'] : []),
        ...nameWhereMany(call.clientId),
        inMs(call.relayMs + (call.worldMs ?? 0)),
      ].join(' · '),
    open: () => <CallDetail call={call} />,
  };
}

/** The world is left out for an account that has only one. */
function nameWhereMany(clientId: string | null): string[] {
  const world = clientId === null ? undefined : findWorld(clientId);
  return world && (worlds.data.value?.length ?? 0) > 1 ? [worldLabel(world)] : [];
}
