import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Registry } from 'prom-client';
import { readConfig } from '@tabletop-relay/process';
import { expect, it, onTestFinished } from 'vitest';
import { databaseConnections as hostConnections } from '../../../apps/browser-host/src/config.ts';
import { connectionsOf } from '../../../apps/relay/src/instances/connections.ts';
import { createRelayMetrics } from '../../../apps/relay/src/metrics.ts';
import { WorkerConfigSchema } from '../../../apps/worker/src/config.ts';
import { readPage } from '../../../docs/markdown-files.ts';
import { named, ofKind, overlays, render, renderOverlay, root, workloadsOf } from './render.ts';
import type { Manifest } from './render.ts';

const production = renderOverlay('production');
const gateway = renderOverlay('production-gateway');

type Labels = Record<string, string>;

interface Route {
  matches: { path: { type: string; value: string } }[];
  timeouts: { request: string; backendRequest: string };
  backendRefs: object[];
}

it.each(overlays)('in the overlay %s services and budgets select the pods of one deployment', (overlay) => {
  const manifests = renderOverlay(overlay);
  const selectors = [
    ...ofKind(manifests, 'Service').map(({ spec }) => (spec as { selector: Labels }).selector),
    ...ofKind(manifests, 'PodDisruptionBudget').map(
      ({ spec }) => (spec as { selector: { matchLabels: Labels } }).selector.matchLabels,
    ),
  ];
  for (const selector of selectors) {
    const chosen = workloadsOf(manifests).filter(({ podLabels }) =>
      Object.entries(selector).every(([label, value]) => podLabels[label] === value),
    );
    expect(chosen).toHaveLength(1);
  }
});

it('the service’s port leads to the port of the API', () => {
  const { ports } = named(production, 'Service', 'relay').spec as { ports: object[] };
  expect(ports).toEqual([{ name: 'http', port: 80, targetPort: 'http', appProtocol: 'http' }]);
});

it('a budget leaves all pods but one, and there are more than one', () => {
  const budgets = ofKind(production, 'PodDisruptionBudget');
  expect(budgets.map(({ metadata }) => metadata.name)).toEqual(['browser-host', 'relay', 'worker']);
  for (const { spec } of budgets) expect(spec).toMatchObject({ maxUnavailable: 1 });
  for (const name of ['worker', 'browser-host'])
    expect(named(production, 'Deployment', name).spec).toMatchObject({ replicas: 2 });
});

it('relays are scaled by the processor and by a metric that they export, downwards after ten quiet minutes', async () => {
  const { spec } = named(production, 'HorizontalPodAutoscaler', 'relay');
  expect(spec).toMatchObject({
    scaleTargetRef: { kind: 'Deployment', name: 'relay' },
    minReplicas: 3,
    metrics: [{ resource: { name: 'cpu' } }, { pods: { metric: { name: 'relay_connected_clients' } } }],
    behavior: { scaleDown: { stabilizationWindowSeconds: 600 } },
  });
  // An apply must not set back the number that the autoscaler chose.
  expect(named(production, 'Deployment', 'relay').spec).not.toHaveProperty('replicas');
  const registry = new Registry();
  createRelayMetrics(registry);
  expect(await registry.metrics()).toContain('\nrelay_connected_clients ');
});

it('an ingress lets sockets live longer than they are quiet', () => {
  const { metadata } = named(production, 'Ingress', 'relay') as Manifest & {
    metadata: { annotations: Labels };
  };
  // A quiet socket is pinged after HEARTBEAT_MS, 20 s.
  expect(metadata.annotations).toMatchObject({ 'haproxy.org/timeout-tunnel': '1h' });
  // A retired controller is in no example.
  expect(JSON.stringify(metadata)).not.toContain('nginx');
});

it('says how many connections Postgres must allow when all relays run that the autoscaler may start', () => {
  const file = readFileSync(path.join(root, 'k8s/overlays/production/relay-scale.yaml'), 'utf8');
  const { maxReplicas } = named(production, 'HorizontalPodAutoscaler', 'relay').spec as {
    maxReplicas: number;
  };
  const { strategy } = named(production, 'Deployment', 'relay').spec as {
    strategy: { rollingUpdate: { maxSurge: string } };
  };
  const relays = maxReplicas * (1 + Number.parseInt(strategy.rollingUpdate.maxSurge) / 100);
  // Two workers, two browser hosts, ten to spare: docs/operations/stores.md#postgres.
  const { jobsAtOnce } = readConfig(WorkerConfigSchema, { DATABASE_URL: 'postgres://db/relay' });
  const needed = relays * connectionsOf(10) + 2 * jobsAtOnce + 2 * hostConnections + 10;
  expect(file).toContain(`max_connections of ${needed}`);
  expect(readPage('docs/operations/kubernetes.md')).toContain(`\`max_connections\` of ${needed}`);
  const sizes = readPage('docs/operations/stores.md');
  for (const part of [
    `\`JOBS_AT_ONCE\` (${jobsAtOnce}) for each worker`,
    `${hostConnections} for each browser host`,
  ])
    expect(sizes).toContain(part);
});

it('the gateway takes the place of the ingress: TLS, a way from http, no time-out of sockets and streams', () => {
  expect(ofKind(gateway, 'Ingress')).toEqual([]);
  const { listeners } = named(gateway, 'Gateway', 'relay').spec as {
    listeners: { name: string; protocol: string; tls?: object }[];
  };
  expect(listeners.map(({ name, protocol, tls }) => [name, protocol, tls !== undefined])).toEqual([
    ['https', 'HTTPS', true],
    ['http', 'HTTP', false],
  ]);
  const { rules } = named(gateway, 'HTTPRoute', 'relay').spec as { rules: Route[] };
  const unlimited = rules.filter(
    ({ timeouts }) => timeouts.request === '0s' && timeouts.backendRequest === '0s',
  );
  const paths = unlimited.flatMap(({ matches }) => matches.map(({ path }) => path.value));
  expect(paths).toEqual(expect.arrayContaining(['/relay', '/ws/api', '/auth/events']));
  for (const { backendRefs } of rules) expect(backendRefs).toEqual([{ name: 'relay', port: 80 }]);
  const redirect = named(gateway, 'HTTPRoute', 'to-https').spec;
  expect(redirect).toMatchObject({
    parentRefs: [{ name: 'relay', sectionName: 'http' }],
    rules: [{ filters: [{ requestRedirect: { scheme: 'https', statusCode: 301 } }] }],
  });
});

it('the host’s name follows PUBLIC_URL', () => {
  const copy = mkdtempSync(path.join(root, 'node_modules/.cache-k8s-'));
  onTestFinished(() => rmSync(copy, { recursive: true }));
  cpSync(path.join(root, 'k8s'), path.join(copy, 'k8s'), { recursive: true });
  const file = path.join(copy, 'k8s/overlays/production/kustomization.yaml');
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace('PUBLIC_URL=https://relay.example', 'PUBLIC_URL=https://dice.test'),
  );
  for (const overlay of ['production', 'production-gateway']) {
    const manifests = render(path.relative(root, path.join(copy, 'k8s/overlays', overlay)));
    const hosts = JSON.stringify(
      manifests.filter(({ kind }) => ['Ingress', 'Gateway', 'HTTPRoute'].includes(kind)),
    );
    expect(hosts).toContain('dice.test');
    expect(hosts).not.toContain('relay.example');
  }
});
