import { findFreePort, waitFor } from '@tabletop-relay/testing';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startBalancer } from '../../../apps/relay/test/balancer/balancer.ts';
import type { Balancer } from '../../../apps/relay/test/balancer/balancer.ts';
import type { Proxy } from '../../../apps/relay/test/balancer/configurations.ts';
import { fillIn, readCompose } from '../images/compose.ts';
import type { ComposeService } from '../images/compose.ts';
import type { Target } from '../images/dockerfile.ts';
import { runContained, startContained } from './contained-process.ts';
import type { ContainedProcess, Ended } from './contained-process.ts';
import { secretsIn } from './contents.ts';
import type { Placed } from './contents.ts';
import { containerVariable } from './gates.ts';
import { startOutside } from './outside.ts';
import type { Outside } from './outside.ts';

export interface DeploymentOptions {
  /** Of a database on a server of tests. It is emptied. */
  database: { url: string; ownerUrl: string };
  /** For each target what its image holds. What has no folder is not started. */
  folders: Readonly<Partial<Record<Target, string>>>;
  proxy: Proxy;
  /** Names the machine's Chromium, for a browser host whose image has no system. */
  chromium?: Readonly<Record<string, string>>;
}

/** What deploy/compose.yaml describes, with plain processes in the place of containers. */
export interface Deployment {
  outside: Outside;
  /** What the migration said: on an empty database, and once more. */
  migrations: Ended[];
  /** By the names of deploy/compose.yaml. */
  processes: ReadonlyMap<string, ContainedProcess>;
  proxy: Proxy;
  /** Stops a relay as a roll-out does and starts another in its place. Resolves with how the first one ended. */
  replaceRelay(name: RelayName): Promise<Ended>;
  stop(): Promise<void>;
}

const relayNames = ['relay-1', 'relay-2'] as const;
export type RelayName = (typeof relayNames)[number];

/** What of compose.yaml is ours and goes on running. */
const services: Readonly<Record<string, Target>> = {
  'relay-1': 'relay',
  'relay-2': 'relay',
  worker: 'worker',
  'browser-host': 'browser-host',
};

export async function startDeployment(options: DeploymentOptions): Promise<Deployment> {
  let balancer: Balancer | undefined;
  const outside = await startOutside(options.database, () => balancer?.url ?? '');
  const folder = mkdtempSync(path.join(os.tmpdir(), 'relay-secrets-'));
  const processes = new Map<string, ContainedProcess>();
  async function stop(): Promise<void> {
    await Promise.all([...processes.values()].map((one) => one.kill()));
    await balancer?.stop();
    await outside.stop();
    rmSync(folder, { recursive: true });
  }
  try {
    const compose = readCompose('compose.yaml').services;
    const names = Object.keys(services).filter((name) => options.folders[services[name] as Target]);
    const placeOf = (name: string, own: Record<string, string> = {}) =>
      place(name, compose[name] as ComposeService, { ...options, outside, secretsFolder: folder, own });
    const migrate = placeOf('migrate');
    const command = compose['migrate']?.command ?? [];
    const migrations = [await runContained(migrate, command), await runContained(migrate, command)];
    const ports = new Map<string, number>();
    for (const name of names) ports.set(name, await findFreePort());
    await Promise.all(
      names.map(async (name) => {
        const own = {
          HOST: '127.0.0.1',
          PORT: String(ports.get(name)),
          OPS_PORT: String(await findFreePort()),
        };
        processes.set(name, await startContained(placeOf(name, own)));
      }),
    );
    const relayPorts = relayNames.map((name) => ports.get(name) as number);
    const balanced = (balancer = await startBalancer(relayPorts, options.proxy));
    const replaceRelay = async (name: RelayName): Promise<Ended> => {
      const old = processes.get(name) as ContainedProcess;
      await balanced.leaveOut(relayNames.indexOf(name));
      const ended = await old.stop();
      processes.set(name, await startContained(old.placed));
      await balanced.takeIn();
      // The other one is the only one until then: docs/operations/roll.md.
      await waitFor(async () => (await answeringAt(balanced.url)) === name, { timeoutMs: 30_000 });
      return ended;
    };
    return { outside, migrations, processes, proxy: options.proxy, replaceRelay, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The relay to which the balancer brought this request. */
async function answeringAt(url: string): Promise<string | undefined> {
  const answer = await fetch(`${url}/api/health`);
  return answer.ok ? ((await answer.json()) as { instanceId: string }).instanceId : undefined;
}

interface Surroundings extends Pick<DeploymentOptions, 'folders' | 'chromium'> {
  outside: Outside;
  secretsFolder: string;
  own: Record<string, string>;
}

/** A service of compose.yaml with the files that it is given there, and this machine's addresses in its settings. */
function place(
  name: string,
  { image, environment = {}, secrets: files = [] }: ComposeService,
  { folders, chromium = {}, outside, secretsFolder, own }: Surroundings,
): Placed {
  const target = (/\/([\w-]+):/.exec(image)?.[1] ?? '') as Target;
  const folder = folders[target] ?? '';
  const secrets = path.join(secretsFolder, name);
  mkdirSync(secrets);
  for (const file of files) writeFileSync(path.join(secrets, file), outside.secrets[file] ?? '');
  // The user of the image reads them.
  chmodSync(secrets, 0o755);
  const mounted = secretsIn({ folder, secrets });
  const given = Object.entries(environment).map(
    ([setting, value]) => [setting, fillIn(value).replace('/run/secrets', mounted)] as const,
  );
  return {
    target,
    folder,
    secrets,
    environment: {
      ...Object.fromEntries(given),
      ...outside.settings,
      ...(target === 'browser-host' && chromium),
      ...own,
      [containerVariable]: name.replace(/-\d$/, ''),
    },
  };
}
