import { StartError } from '@tabletop-relay/database';
import type { Shutdown } from '@tabletop-relay/process';
import { listStoresAway } from '@tabletop-relay/relay';
import type { StandaloneConfig } from '../config.ts';
import type { Steps } from '../steps.ts';
import { planBuild } from './build-pages.ts';
import { checkPorts } from './check-ports.ts';
import { holdFolder } from './hold-folder.ts';
import type { HeldFolder } from './hold-folder.ts';

export interface PrepareOptions {
  config: StandaloneConfig;
  dataDir: string;
  repository: string;
  buildsPages: boolean;
  shutdown: Shutdown;
  steps: Steps;
}

/**
 * Looks first at all that a person may have to mend, so that nothing is built or started for a start that cannot end
 * well, and so that no page changes under a relay that serves it. Then builds the pages, if it is to and they changed.
 */
export async function prepare(options: PrepareOptions): Promise<HeldFolder> {
  const { config, dataDir, repository, buildsPages, shutdown, steps } = options;
  const folder = holdFolder(dataDir);
  shutdown.onStop('data folder', folder.release);
  await checkPorts([
    { setting: 'PORT', host: config.host, port: config.port },
    ...(config.demo ? [{ setting: 'DEMO_PORT', host: '127.0.0.1', port: config.demoPort }] : []),
  ]);
  const away = await listStoresAway(config);
  if (away.length > 0) throw new StartError(away.join('\n  '));
  const build = buildsPages ? planBuild(repository) : undefined;
  if (build?.isNeeded) {
    const abort = new AbortController();
    shutdown.onStop('build', () => abort.abort());
    await steps.run('Building the pages', () => build.run(abort.signal));
  }
  return folder;
}
