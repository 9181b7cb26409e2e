import { instanceEndpoints } from '@tabletop-relay/contract';
import type { Database } from '@tabletop-relay/database';
import { serve } from '../endpoint-handler.ts';
import type { ServedEndpoint } from '../endpoint-handler.ts';
import { readInstances } from './read-instances.ts';

export function serveInstances(db: Database): ServedEndpoint[] {
  return serve(instanceEndpoints, {
    async listInstances() {
      const running = await readInstances(db);
      return {
        items: running.map(({ instanceId, version, worlds, load }) => ({
          instanceId,
          version,
          worlds,
          ...load,
          // A version before this one tells none.
          loopDelayMs: load.loopDelayMs ?? null,
        })),
      };
    },
  });
}
