import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { checkTransport, describeConfig, readConfig } from '@tabletop-relay/process';
import { afterAll, describe, expect, it } from 'vitest';
import {
  BrowserHostConfigSchema,
  checkBrowserHostConfig,
  longestStopMs as longestHostStopMs,
} from '../../../apps/browser-host/src/config.ts';
import { mostThreads } from '../../../apps/browser-host/src/browser/usage-watch.ts';
import { checkRelayConfig, RelayConfigSchema } from '../../../apps/relay/src/config.ts';
import { longestStopMs } from '../../../apps/relay/src/drain.ts';
import {
  checkWorkerConfig,
  longestStopMs as longestWorkerStopMs,
  WorkerConfigSchema,
} from '../../../apps/worker/src/config.ts';
import { exampleIn, readPage } from '../../../docs/markdown-files.ts';
import { root } from '../k8s/render.ts';
import { fillIn, readCompose } from './compose.ts';
import type { ComposeService } from './compose.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'relay-compose-'));
afterAll(() => rmSync(folder, { recursive: true }));
const secrets = path.join(folder, 'secrets');
const makeSecrets = () => execFileSync('sh', [path.join(root, 'deploy/image/secrets.sh'), secrets]);
makeSecrets();
const secretOf = (name: string) => readFileSync(path.join(secrets, name), 'utf8');

/** The environment of a service, with its secrets where this machine has them. */
function environmentOf({ environment = {} }: ComposeService): Record<string, string> {
  const given = { RELAY_HOST: 'relay.example' };
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      fillIn(value, given).replace('/run/secrets/', `${secrets}/`),
    ]),
  );
}

const isOurs = ([, { image }]: [string, ComposeService]) => /\/(relay|worker|browser-host):/.test(image);

function schemaOf({ image }: ComposeService) {
  if (image.includes('/relay:')) return RelayConfigSchema;
  return image.includes('/browser-host:') ? BrowserHostConfigSchema : WorkerConfigSchema;
}

describe.each(['compose.yaml', 'compose.small.yaml'])('%s', (name) => {
  const file = readCompose(name);
  const services = Object.entries(file.services);
  const ours = services.filter(isOurs);
  const relays = ours.filter(([, { image }]) => image.includes('/relay:'));

  it('is stopped for a restore by the names of its services, as the page has them', () => {
    const stopped = new RegExp(`deploy/${name} stop ([\\w -]+)`).exec(readPage('docs/operations/compose.md'));
    const running = ours.map(([service]) => service).filter((service) => service !== 'migrate');
    expect(stopped?.[1]?.split(' ').toSorted()).toEqual(running.toSorted());
  });

  it('gives each process settings that it takes, and no others', () => {
    expect(ours.length).toBeGreaterThan(2);
    for (const [service, definition] of ours) {
      const schema = schemaOf(definition);
      const known = describeConfig(schema).flatMap((row) =>
        row.secret ? [row.name, `${row.name}_FILE`] : [row.name],
      );
      const environment = environmentOf(definition);
      expect(
        Object.keys(environment).filter((one) => !known.includes(one)),
        service,
      ).toEqual([]);
      if (schema === RelayConfigSchema)
        readConfig(RelayConfigSchema, { ...environment, HOST: '0.0.0.0' }, checkRelayConfig);
      else if (schema === BrowserHostConfigSchema)
        readConfig(BrowserHostConfigSchema, environment, checkBrowserHostConfig);
      else
        readConfig(
          WorkerConfigSchema,
          environment,
          service === 'migrate' ? checkTransport : checkWorkerConfig,
        );
    }
  });

  it('gives browsers the memory and threads of all their sessions, so that one takes nothing from the others', () => {
    const { mem_limit = '', pids_limit = 0, tmpfs = [], environment } = file.services['browser-host'] ?? {};
    const { headlessAtOnce, headlessMemoryMb } = readConfig(BrowserHostConfigSchema, {
      ...environmentOf({ image: '', environment: environment ?? {} }),
    });
    const [, memoryGib] = /^(\d+)g$/.exec(mem_limit) ?? [];
    const [, sharedGib] = /size=(\d+)g/.exec(tmpfs[0] ?? '') ?? [];
    expect(Number(memoryGib) * 1024).toBeGreaterThanOrEqual(headlessAtOnce * headlessMemoryMb + 1024);
    expect(Number(sharedGib) * 1024).toBeGreaterThanOrEqual(headlessAtOnce * headlessMemoryMb);
    expect(pids_limit).toBeGreaterThan(headlessAtOnce * mostThreads);
  });

  it('gives relays and worker one address, because both send links to it', () => {
    const linking = ours.filter(([service]) => service !== 'migrate' && service !== 'browser-host');
    const addresses = linking.map(([, definition]) => environmentOf(definition)['PUBLIC_URL']);
    expect(addresses).not.toContain(undefined);
    expect(new Set(addresses).size).toBe(1);
  });

  it('gives each process the secrets that its settings name, and keeps them out of the environment', () => {
    for (const [service, { environment = {}, secrets: mounted = [] }] of ours) {
      const named = Object.values(environment).flatMap(
        (value) => /^\/run\/secrets\/(.+)$/.exec(value)?.[1] ?? [],
      );
      expect(mounted.toSorted(), service).toEqual(named.toSorted());
    }
    for (const [, { secrets: mounted = [] }] of services)
      for (const secret of mounted) expect(existsSync(path.join(secrets, secret)), secret).toBe(true);
    expect(Object.values(file.secrets).map((secret) => path.basename(secret.file))).toEqual(
      Object.keys(file.secrets),
    );
    expect(readdirSync(secrets).toSorted()).toEqual(Object.keys(file.secrets).toSorted());
  });

  it('gives processes the time that their stop takes', () => {
    for (const [service, { stop_grace_period = '', ...definition }] of relays) {
      const config = readConfig(RelayConfigSchema, environmentOf(definition));
      expect(Number.parseInt(stop_grace_period) * 1_000, service).toBeGreaterThan(longestStopMs(config));
    }
    const graceMs = (name: string) => Number.parseInt(file.services[name]?.stop_grace_period ?? '') * 1_000;
    expect(graceMs('worker')).toBeGreaterThan(longestWorkerStopMs);
    expect(graceMs('browser-host')).toBeGreaterThan(longestHostStopMs);
  });

  it('locks our containers up', () => {
    for (const [service, definition] of ours)
      expect(definition, service).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  });

  it('gives Chromium a place to write, and keeps the relay’s secret from its pages', () => {
    const { tmpfs, secrets: mounted, networks } = file.services['browser-host'] ?? {};
    expect(tmpfs).toEqual([expect.stringMatching(/^\/tmp:/)]);
    expect(mounted).toEqual(['database-url', 'redis-url']);
    expect(networks).toEqual(['inside', 'out']);
  });

  it('migrates before anything starts, and waits until what is needed is there', () => {
    expect(file.services['migrate']?.depends_on).toEqual({ postgres: { condition: 'service_healthy' } });
    for (const [service, { depends_on }] of ours.filter(([one]) => one !== 'migrate'))
      expect(depends_on?.['migrate'], service).toEqual({ condition: 'service_completed_successfully' });
  });

  it('opens the proxy alone, and keeps the stores in a network without a way out', () => {
    expect(services.filter(([, { ports }]) => ports).map(([service]) => service)).toEqual(['proxy']);
    expect(file.networks['inside']).toEqual({ internal: true });
    for (const store of ['postgres', 'redis']) expect(file.services[store]?.networks).toEqual(['inside']);
    const subnet = file.networks['edge']?.ipam?.config[0]?.subnet;
    expect(subnet).toBeDefined();
    for (const [, { environment }] of relays) expect(environment?.['TRUSTED_PROXIES']).toBe(subnet);
  });

  it('uses files, networks and volumes that are there', () => {
    const used = services.flatMap(([, { volumes = [] }]) =>
      volumes.map((volume) => volume.split(':')[0] ?? ''),
    );
    const own = used.filter((source) => source.startsWith('./'));
    expect(own.filter((source) => !existsSync(path.join(root, 'deploy', source)))).toEqual([]);
    const volumes = used.filter((source) => !source.startsWith('./'));
    expect(volumes.toSorted()).toEqual(Object.keys(file.volumes).toSorted());
    const networks = new Set(services.flatMap(([, service]) => service.networks ?? []));
    expect([...networks].toSorted()).toEqual(Object.keys(file.networks).toSorted());
  });
});

it('the proxy’s files name the relays of their compose file', () => {
  const named = (proxy: string) => [
    ...new Set(readFileSync(path.join(root, 'deploy/proxy', proxy), 'utf8').match(/\b[\w-]+(?=:3010)/g)),
  ];
  for (const proxy of ['haproxy.cfg', 'nginx.conf']) expect(named(proxy)).toEqual(['relay-1', 'relay-2']);
  expect(named('Caddyfile')).toEqual(['relay']);
});

it('every database that pages and scripts make has its owner and the encoding that the relay needs', () => {
  const files = globSync(['*.md', 'docs/**/*.md', 'deploy/**/*', 'k8s/**/*', '.github/**/*'], {
    cwd: root,
    exclude: (file) => file === 'node_modules' || file === 'test',
  }).filter((file) => statSync(path.join(root, file)).isFile());
  const made = files.flatMap((file) => readPage(file).match(/create database .*|createdb .*/gi) ?? []);
  expect(made.length).toBeGreaterThan(2);
  expect(new Set(made)).toEqual(
    new Set(["create database relay owner relay_owner encoding 'UTF8' template template0;"]),
  );
});

describe('the secrets', () => {
  it('are made once, each of its own, and only their owner can open the folder', () => {
    const before = readdirSync(secrets).map(secretOf);
    makeSecrets();
    expect(readdirSync(secrets).map(secretOf)).toEqual(before);
    expect(statSync(secrets).mode & 0o777).toBe(0o700);
    const passwords = before.flatMap((text) => text.match(/[A-Za-z0-9]{36,}/g) ?? []);
    expect(new Set(passwords).size).toBe(5);
  });

  it('fit together: stores know the passwords that the processes bring', () => {
    const { password: redis } = new URL(secretOf('redis-url'));
    expect(secretOf('redis-users')).toContain(`user relay on >${redis} `);
    for (const [name, role] of [
      ['database-url', 'relay_app'],
      ['migrate-database-url', 'relay_owner'],
    ] as const) {
      const { username, password } = new URL(secretOf(name));
      expect(username).toBe(role);
      expect(secretOf('roles.sql')).toContain(`create role ${role} login password '${password}';`);
    }
  });

  it('give the roles of Postgres and the user of Redis what the pages say', () => {
    const withoutPassword = (text: string) => text.replaceAll(/password '\w+'/g, 'password').trim();
    expect(withoutPassword(secretOf('roles.sql'))).toBe(
      withoutPassword(exampleIn(readPage('docs/operations/deploy.md'), 'roles')),
    );
    const rights = (text: string) => / resetkeys .*/.exec(text)?.[0];
    expect(rights(secretOf('redis-users'))).toBe(
      rights(exampleIn(readPage('docs/operations/stores.md'), 'acl')),
    );
  });
});
