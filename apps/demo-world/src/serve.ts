import { fileURLToPath } from 'node:url';
import type { ModuleStatus, ModuleStorage, TabletopModule } from '@tabletop-relay/module-sdk';
import { createLiveLink } from './server/live-link.ts';
import { createPageServer, hostNamesOf } from './server/page-server.ts';
import { createNodeWorld } from './node-world.ts';
import { createWorldModule } from './world-module.ts';
import type { World } from './world/world.ts';

export interface DemoWorldOptions {
  /** The relay's address, `http(s)` or `ws(s)`. */
  relayUrl: string;
  /** Holds the pairing: a token that it has is used, and one that is paired for is kept there. */
  storage: ModuleStorage;
  /** Used when the storage holds no token. */
  pairingCode?: string | undefined;
  /** The address that the page listens on; by default 127.0.0.1 and any free port. Anyone who reaches it acts as the game master. */
  host?: string | undefined;
  port?: number | undefined;
  /** Host names beside `host` and the loopback names that the page is reached by. */
  hostNames?: readonly string[] | undefined;
  /** Passwords of users by their names, for the log-in page at `/login`; without them there is none. */
  passwords?: Readonly<Record<string, string>> | undefined;
  /** One seed and one order of calls give one order of rolls. */
  seed?: number | undefined;
  /** The page's static build. */
  pageDir?: string | undefined;
  onStatus?: ((status: ModuleStatus) => void) | undefined;
  /** Unexpected errors, which would otherwise be lost. */
  onError?: ((error: unknown) => void) | undefined;
}

export interface DemoWorld {
  /** Address of the page, for example `http://127.0.0.1:40123/`. */
  url: string;
  world: World;
  /** `await module.connect()` resolves when the relay has accepted the world. */
  module: TabletopModule;
  close(): Promise<void>;
}

/**
 * Starts a world: its page listens when this resolves, and it connects to the relay and stays connected. Rejects
 * with `PairingError` when there is no token and the relay refuses the code.
 */
export async function startDemoWorld(options: DemoWorldOptions): Promise<DemoWorld> {
  const { relayUrl, storage, pairingCode, host = '127.0.0.1', port = 0, hostNames = [] } = options;
  const { onError = () => undefined } = options;
  const world = createNodeWorld({ seed: options.seed });
  const liveLink = createLiveLink(world, onError);
  const module = createWorldModule(world, {
    url: relayUrl,
    storage,
    onStatus(status) {
      liveLink.tellRelay(status);
      options.onStatus?.(status);
    },
    onError,
  });
  const { connectionToken } = await storage.load();
  if (!connectionToken && pairingCode) await module.pair({ relayUrl, code: pairingCode });

  const pageDir = options.pageDir ?? fileURLToPath(new URL('../dist', import.meta.url));
  const hosts = [...hostNamesOf(host), ...hostNames];
  const server = await createPageServer({ pageDir, liveLink, hosts, world, passwords: options.passwords });
  const url = await server.listen({ host, port });
  // `onStatus` tells the outcome.
  module.connect().catch(() => undefined);
  return {
    url: `${url}/`,
    world,
    module,
    async close() {
      module.close();
      liveLink.close();
      await server.close();
    },
  };
}
