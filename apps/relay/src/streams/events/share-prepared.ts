import type { Channel } from '@tabletop-relay/contract';
import { createPrepare } from './sse-bytes.ts';

type Prepare = ReturnType<typeof createPrepare>;

/** Lets all listeners of a stream on this instance share the bytes of its events. */
export function sharePrepared() {
  const shared = new Map<string, { prepare: Prepare; users: number }>();
  const keyOf = (clientId: string, channel: Channel) => `${channel} ${clientId}`;
  return {
    take(clientId: string, channel: Channel): Prepare {
      const key = keyOf(clientId, channel);
      const one = shared.get(key) ?? { prepare: createPrepare({ clientId, channel }), users: 0 };
      one.users++;
      shared.set(key, one);
      return one.prepare;
    },
    giveBack(clientId: string, channel: Channel): void {
      const key = keyOf(clientId, channel);
      const one = shared.get(key);
      if (one && --one.users === 0) shared.delete(key);
    },
  };
}
