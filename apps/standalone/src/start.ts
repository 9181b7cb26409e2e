import { createLogger, createShutdown, nameOfHost, version } from '@tabletop-relay/process';
import type { Shutdown } from '@tabletop-relay/process';
import path from 'node:path';
import { announcement } from './announcement.ts';
import { prepare } from './before/prepare.ts';
import { readStandaloneConfig } from './config.ts';
import { explain } from './explain.ts';
import { startDemo } from './start-demo.ts';
import { startParts } from './start-parts.ts';
import type { PartsOptions } from './start-parts.ts';
import { createSteps } from './steps.ts';
import type { Steps } from './steps.ts';

/**
 * Starts everything in this process, and ends the process with one line where a person must mend something first.
 * `repository` is the folder whose pages are built, unless another process does it, as in `pnpm dev`.
 */
export async function runStart(repository: string, { buildsPages }: { buildsPages: boolean }): Promise<void> {
  let shutdown: Shutdown | undefined;
  try {
    const settings = readStandaloneConfig(process.env);
    const instanceId = settings.instanceId ?? nameOfHost();
    const config = { ...settings, instanceId };
    const log = createLogger({
      name: 'relay',
      level: config.logLevel,
      pretty: process.stdout.isTTY,
      fields: { instance: instanceId, version },
    });
    shutdown = createShutdown({ log, timeoutMs: 30_000 });
    shutdown.onStop('output', () => console.log('Stopped.'));
    const steps = createSteps(process.stdout);
    shutdown.onStop('steps', steps.giveUp);
    await start({ config, log, shutdown }, { repository, buildsPages, steps });
    shutdown.onStop('notice', () => console.log('\nStopping …'));
  } catch (error) {
    // What a start was doing fails when it is stopped, and that is no failure.
    if (shutdown?.hasBegun()) return;
    console.error(`\nTabletop Relay did not start: ${explain(error)}`);
    process.exit(1);
  }
}

async function start(
  parts: PartsOptions,
  from: { repository: string; buildsPages: boolean; steps: Steps },
): Promise<void> {
  const { config, shutdown } = parts;
  const dataDir = path.resolve(config.dataDir);
  const { steps } = from;
  const folder = await prepare({ config, dataDir, shutdown, ...from });
  const instance = await steps.run('Starting the database and the relay', () => startParts(parts));
  const relayUrl = config.publicUrl ?? instance.address.replace('127.0.0.1', 'localhost');
  folder.tellAddress(`${relayUrl}/dashboard`);
  const world = { instance, dataDir, port: config.demoPort };
  const demo = config.demo ? await steps.run('Starting the demo world', () => startDemo(world)) : undefined;
  if (demo) shutdown.onStop('demo world', demo.close);
  console.log(announcement({ relayUrl, dataDir, ...(demo ? { demo } : {}) }));
}
