import { findChromium } from '@tabletop-relay/chromium';
import { startPostgres } from '@tabletop-relay/testing';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { targets } from '../images/dockerfile.ts';
import type { Target } from '../images/dockerfile.ts';
import { judgeFlows } from '../k8s/policies.ts';
import { assembleImages } from './assemble.ts';
import { isWholeSystem } from './contents.ts';
import { startDeployment } from './deployment.ts';
import { tryRollingRestart } from '../tries/rolling-restart.ts';
import { tryAll, tryToStop } from '../tries/tries.ts';

const usage = `pnpm acceptance [--images <folder>] [--proxy haproxy|nginx]
  Runs what deploy/compose.yaml describes from what the images contain, without containers, and tries it from outside: pages, calls,
  streams, mails, webhooks, a headless session, the command line, health, a rolling restart under load and stop. Ends with 1 where a
  promise was broken.
  --images  A folder with the file systems of the images in relay, worker and browser-host. They are run as containers are: with their
            own Node as process 1, as their user, on a file system that cannot be written to. Needs root and Linux.
            Without it /app of each is put together here as the Dockerfile does, and this machine's Node runs it.
  --proxy   The balancer before the relays, with its file of deploy/proxy: haproxy.`;

const { values } = parseArgs({
  options: {
    images: { type: 'string' },
    proxy: { type: 'string', default: 'haproxy' },
    help: { type: 'boolean' },
  },
});
// Each program that runs is ended with us.
process.setMaxListeners(100);
const proxies = ['haproxy', 'nginx'] as const;
const proxy = proxies.find((one) => one === values.proxy);
if (values.help || !proxy) console.log(usage);
else {
  const assembled = values.images === undefined ? await assembleImages(targets) : undefined;
  const postgres = await startPostgres();
  try {
    const folders = assembled?.folders ?? foldersIn(path.resolve(values.images ?? ''));
    const deployment = await startDeployment({
      database: postgres,
      folders,
      proxy,
      chromium: await chromiumFor(folders),
    });
    try {
      const broken = [
        ...(await tryAll(deployment)),
        ...(await tryRollingRestart(deployment)),
        ...judgeFlows(deployment.outside.flows(), [...targets, 'migrate']),
      ];
      broken.push(...(await tryToStop(deployment)));
      console.log(['What was opened:', ...deployment.outside.flows()].join('\n  '));
      for (const promise of broken) console.log(`BROKEN: ${promise}`);
      console.log(broken.length > 0 ? `${broken.length} promises broken` : 'all promises kept');
      process.exitCode = broken.length > 0 ? 1 : 0;
    } finally {
      await deployment.stop();
    }
  } finally {
    await postgres.stop();
    await assembled?.remove();
  }
}

function foldersIn(images: string): Record<Target, string> {
  const [relay = '', worker = '', browserHost = ''] = targets.map((target) => path.join(images, target));
  return { relay, worker, 'browser-host': browserHost };
}

/** An image has its own. */
async function chromiumFor(folders: Partial<Record<Target, string>>): Promise<Record<string, string>> {
  if (isWholeSystem(folders['browser-host'] ?? '')) return {};
  const { command, env } = await findChromium();
  return { CHROMIUM_PATH: command, ...env };
}
