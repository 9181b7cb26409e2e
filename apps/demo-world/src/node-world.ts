import { createScriptRunner } from './scripts/script-runner.ts';
import { startNodeWorker } from './scripts/start-node-worker.ts';
import { paint } from './painting/paint-in-node.ts';
import { createWorld } from './world/world.ts';
import type { World, WorldOptions } from './world/world.ts';

/** A world in memory that lives in Node. */
export function createNodeWorld(options: Omit<WorldOptions, 'outside'> = {}): World {
  return createWorld({ ...options, outside: { runScript: createScriptRunner(startNodeWorker), paint } });
}
