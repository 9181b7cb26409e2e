import { StartError } from '@tabletop-relay/database';
import { startDemoWorld } from '@tabletop-relay/demo-world';
import type { ModuleStorage } from '@tabletop-relay/module-sdk';
import { fileStorage } from '@tabletop-relay/module-sdk/node';
import type { RunningInstance } from '@tabletop-relay/relay';
import path from 'node:path';
import type { Announced } from './announcement.ts';
import { openDemo } from './demo.ts';

export interface DemoOptions {
  instance: RunningInstance;
  dataDir: string;
  port: number;
}

/** The user of the demo world who may log in to it. */
const gameMaster = 'Ada';

/** Opens the demo account and starts its world, which is connected when this resolves. */
export async function startDemo({
  instance: { address: relayUrl, relay },
  dataDir,
  port,
}: DemoOptions): Promise<NonNullable<Announced['demo']> & { close(): Promise<void> }> {
  const demo = await openDemo(relayUrl, dataDir, relay.register);
  const storage = fileStorage(path.join(dataDir, 'demo-world.json'));
  const isPaired = (await readPairing(storage)).connectionToken !== undefined;
  const world = await startDemoWorld({
    relayUrl,
    storage,
    port,
    passwords: { [gameMaster]: demo.account.worldPassword },
    pairingCode: isPaired ? undefined : await demo.createPairingCode(),
  });
  await world.module.connect();
  const { clientId = '' } = await storage.load();
  const logIn = { url: new URL('login', world.url.replace('127.0.0.1', 'localhost')).href, user: gameMaster };
  const overlayKey = await demo.overlayKey(clientId);
  return {
    account: demo.account,
    clientId,
    worldUrl: world.url,
    logIn,
    overlayKey,
    signInSecret: await relay.createSignInLink(demo.account.email),
    close: world.close,
  };
}

async function readPairing(storage: ModuleStorage) {
  try {
    return await storage.load();
  } catch (error) {
    throw new StartError((error as Error).message);
  }
}
