import { webStorage } from '@tabletop-relay/module-sdk';
import type { ModuleStorage } from '@tabletop-relay/module-sdk';
import type { VNode } from 'preact';
import { createScriptRunner } from '../../scripts/script-runner.ts';
import { startPageWorker } from '../../scripts/start-page-worker.ts';
import { createWorldModule } from '../../world-module.ts';
import { createWorld } from '../../world/world.ts';
import { Page } from '../page.tsx';
import { openOwnLink } from './own-link.ts';
import { paint } from './paint.ts';
import { PairingBand } from './pairing.tsx';
import { openRelayLine } from './relay-line.ts';

interface OwnPage {
  /** Fill in the pairing form. */
  given: { relay: string | null; code: string | null };
  /** Where the pairing is kept; this browser unless named. */
  storage?: ModuleStorage;
}

/** A page with a world of its own in this browser. */
export async function openOwnPage({ given, storage: named }: OwnPage): Promise<VNode> {
  const world = createWorld({ outside: { runScript: createScriptRunner(startPageWorker), paint } });
  const storage = named ?? webStorage(localStorage, world.state().world.id);
  const line = await openRelayLine(storage, (onStatus) =>
    createWorldModule(world, { storage, onStatus, standby: true }),
  );
  return <Page link={openOwnLink(world)} banner={<PairingBand line={line} given={given} />} />;
}
