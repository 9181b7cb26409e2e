import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Registry } from 'prom-client';
import { checkTransport, describeConfig, readConfig, startOpsServer } from '@tabletop-relay/process';
import type { TObject } from 'typebox';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  BrowserHostConfigSchema,
  checkBrowserHostConfig,
  longestStopMs as longestHostStopMs,
} from '../../../apps/browser-host/src/config.ts';
import { checkRelayConfig, RelayConfigSchema } from '../../../apps/relay/src/config.ts';
import { longestStopMs } from '../../../apps/relay/src/drain.ts';
import {
  checkWorkerConfig,
  longestStopMs as longestWorkerStopMs,
  WorkerConfigSchema,
} from '../../../apps/worker/src/config.ts';
import { environmentOf, overlays, renderOverlay, workloadsOf } from './render.ts';
import type { Manifest, Workload } from './render.ts';

const schemas: Record<string, TObject> = {
  relay: RelayConfigSchema,
  worker: WorkerConfigSchema,
  'browser-host': BrowserHostConfigSchema,
  migrate: WorkerConfigSchema,
};
const schemaOf = ({ name }: Workload): TObject => schemas[name] as TObject;

/** What operators keep in the Secrets, by Secret and key. */
const secrets: Record<string, string> = {
  'relay/database-url': 'postgres://relay_app:p@db.internal/relay?sslmode=verify-full',
  'relay/redis-url': 'rediss://:p@redis.internal:6379',
  'relay/relay-secret': 'a secret for tests; long enough.',
  'relay/smtp-url': 'smtps://user:p@mail.example',
  'migrate/database-url': 'postgres://relay_owner:p@db.internal/relay?sslmode=verify-full',
};
const folder = mkdtempSync(path.join(os.tmpdir(), 'relay-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The environment of the process, with the Secrets' files where this machine can read them. */
function environmentWithFiles(manifests: readonly Manifest[], workload: Workload): Record<string, string> {
  const files = workload.pod.volumes.flatMap(({ name, secret }) => {
    const mount = workload.pod.containers[0].volumeMounts.find((one) => one.name === name);
    return (secret?.items ?? []).map((item) => {
      const file = path.join(folder, `${workload.name}-${secret?.secretName}-${item.key}`);
      writeFileSync(file, secrets[`${secret?.secretName}/${item.key}`] as string);
      return [path.join(mount?.mountPath ?? '', item.path), file] as const;
    });
  });
  const environment = Object.entries(environmentOf(manifests, workload));
  const local = new Map<string, string>(files);
  return Object.fromEntries(environment.map(([name, value]) => [name, local.get(value) ?? value]));
}

describe.each(overlays)('the overlay %s', (overlay) => {
  const manifests = renderOverlay(overlay);
  const workloads = workloadsOf(manifests);
  const deployments = workloads.filter(({ kind }) => kind === 'Deployment');
  const one = (name: string) => workloads.find((workload) => workload.name === name) as Workload;

  it.each(workloads.map((workload) => [workload.name, workload] as const))(
    '%s has settings that its process takes, and none that it does not know',
    (_name, workload) => {
      const known = describeConfig(schemaOf(workload)).flatMap(({ name, secret }) =>
        secret ? [name, `${name}_FILE`] : [name],
      );
      const relays = describeConfig(RelayConfigSchema).map(({ name }) => name);
      const own = environmentOf([], { ...workload, pod: withoutShared(workload) });
      expect(Object.keys(own).filter((name) => !known.includes(name))).toEqual([]);
      // All processes get the shared ones; each reads those that it knows.
      const environment = environmentWithFiles(manifests, workload);
      expect(Object.keys(environment).filter((name) => ![...known, ...relays].includes(name))).toEqual([]);
      const checks = {
        relay: checkRelayConfig,
        worker: checkWorkerConfig,
        'browser-host': checkBrowserHostConfig,
        migrate: checkTransport,
      };
      const check = checks[workload.name as keyof typeof checks];
      expect(() => readConfig(schemaOf(workload), environment, check as never)).not.toThrow();
    },
  );

  it('keeps secrets in files, and gives the password of the tables’ owner to the migration alone', () => {
    for (const workload of workloads) {
      const secretNames = describeConfig(schemaOf(workload)).flatMap(({ name, secret }) =>
        secret ? [name] : [],
      );
      const environment = environmentOf(manifests, workload);
      expect(secretNames.filter((name) => environment[name] !== undefined)).toEqual([]);
    }
    const withOwner = workloads.filter(({ pod }) => JSON.stringify(pod).includes('MIGRATE_DATABASE_URL'));
    expect(withOwner.map(({ name }) => name)).toEqual(['migrate']);
  });

  it('gives each process more time than its stop takes', () => {
    const config = readConfig(RelayConfigSchema, environmentWithFiles(manifests, one('relay')));
    const { terminationGracePeriodSeconds = 0, containers } = one('relay').pod;
    const preStop = containers[0].lifecycle?.preStop.sleep.seconds ?? 0;
    expect(preStop).toBeGreaterThan(0);
    expect(terminationGracePeriodSeconds).toBeGreaterThan(preStop + longestStopMs(config) / 1_000);
    expect(one('worker').pod.terminationGracePeriodSeconds).toBeGreaterThan(longestWorkerStopMs / 1_000);
    expect(one('browser-host').pod.terminationGracePeriodSeconds).toBeGreaterThan(longestHostStopMs / 1_000);
  });

  it('takes no pod away before its successor is ready', () => {
    const surge = {
      maxUnavailable: 0,
      maxSurge: expect.toSatisfy((value) => value === 1 || value === '25%'),
    };
    for (const { spec } of deployments) expect(spec['strategy']).toEqual({ rollingUpdate: surge });
  });

  it('asks for what is served, on ports that are open', async () => {
    const ops = await startOpsServer({
      host: '127.0.0.1',
      port: 0,
      metrics: new Registry(),
      health: () => Promise.resolve({ ready: true }),
    });
    onTestFinished(() => ops.close());
    for (const workload of deployments) {
      const { ports = [], startupProbe, readinessProbe, livenessProbe } = workload.pod.containers[0];
      const environment = environmentWithFiles(manifests, workload);
      const config = readConfig(schemaOf(workload), environment) as { opsPort?: number; port?: number };
      const opened = { ops: config.opsPort, ...(config.port !== undefined && { http: config.port }) };
      const declared = ports.map(({ name, containerPort }) => [name, containerPort]);
      expect(Object.fromEntries(declared)).toEqual(opened);
      for (const probe of [startupProbe, readinessProbe, livenessProbe]) {
        expect(probe?.httpGet.port).toBe('ops');
        expect((await fetch(`${ops.url}${probe?.httpGet.path}`)).status).toBe(200);
      }
      // An instance whose stores are away is not ready, and a restart would not help it.
      expect([readinessProbe?.httpGet.path, livenessProbe?.httpGet.path]).toEqual(['/readyz', '/livez']);
    }
  });

  it('selects the pods that there are', () => {
    for (const { spec, podLabels, pod } of deployments) {
      expect((spec['selector'] as { matchLabels: object }).matchLabels).toEqual(podLabels);
      for (const { labelSelector } of pod.topologySpreadConstraints ?? [])
        expect(labelSelector.matchLabels).toEqual(podLabels);
      expect(pod.topologySpreadConstraints).toHaveLength(2);
    }
  });

  it('gives Chromium a place to write that is no disk, and keeps the relay’s secret from its pages', () => {
    const { volumes } = one('browser-host').pod;
    expect(volumes.find(({ name }) => name === 'tmp')?.emptyDir).toEqual({
      medium: 'Memory',
      sizeLimit: '8Gi',
    });
    expect(volumes[0]?.secret?.items.map(({ key }) => key)).toEqual(['database-url', 'redis-url']);
    const writable = workloads.filter(({ pod }) => pod.volumes.some(({ emptyDir }) => emptyDir));
    expect(writable.map(({ name }) => name)).toEqual(['browser-host']);
  });

  it('gives browsers the memory of all their sessions, so that one takes nothing from the others', () => {
    const host = one('browser-host');
    const config = readConfig(BrowserHostConfigSchema, environmentWithFiles(manifests, host));
    const mib = (size = '') => Number(/^(\d+)Gi$/.exec(size)?.[1]) * 1024;
    const taken = config.headlessAtOnce * config.headlessMemoryMb;
    expect(mib(host.pod.containers[0].resources.limits['memory'])).toBeGreaterThanOrEqual(taken + 1024);
    const shared = host.pod.volumes.find(({ name }) => name === 'tmp')?.emptyDir?.sizeLimit;
    expect(mib(shared)).toBeGreaterThanOrEqual(taken);
  });

  it('passes the restricted standard of pod security', () => {
    for (const { pod } of workloads) {
      expect(pod.automountServiceAccountToken).toBe(false);
      expect(pod.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 10_001,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      for (const { securityContext, resources, volumeMounts } of pod.containers) {
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(Object.keys(resources.requests).toSorted()).toEqual(['cpu', 'ephemeral-storage', 'memory']);
        expect(Object.keys(resources.limits).toSorted()).toEqual(['ephemeral-storage', 'memory']);
        expect(volumeMounts.every(({ readOnly, mountPath }) => readOnly ?? mountPath === '/tmp')).toBe(true);
      }
    }
  });
});

function withoutShared({ pod }: Workload): Workload['pod'] {
  const [container] = pod.containers;
  return { ...pod, containers: [{ ...container, envFrom: [] }] };
}
