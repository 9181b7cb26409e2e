import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { exampleIn, readPage } from '../../../docs/markdown-files.ts';
import { readGroups } from '../observability/rules.ts';
import { selects } from './policies.ts';
import { environmentOf, named, ofKind, render, renderOverlay, root, workloadsOf } from './render.ts';
import type { Manifest, Workload } from './render.ts';

const page = readPage('docs/operations/kubernetes.md');

const rendered = new Map<string, Manifest[]>();

/** What an overlay of an operator's own makes, beside a copy of `k8s/`: folders of kustomize may not lie outside of the tree. */
function renderMine(overlay: string): Manifest[] {
  const known = rendered.get(overlay);
  if (known) return structuredClone(known);
  const copy = mkdtempSync(path.join(root, 'node_modules/.k8s-'));
  onTestFinished(() => rmSync(copy, { recursive: true }));
  cpSync(path.join(root, 'k8s'), path.join(copy, 'k8s'), { recursive: true });
  mkdirSync(path.join(copy, 'mine'));
  writeFileSync(path.join(copy, 'mine/kustomization.yaml'), overlay);
  const manifests = render(path.relative(root, path.join(copy, 'mine')));
  rendered.set(overlay, manifests);
  return structuredClone(manifests);
}

it('the page’s overlay names images, address and host, and the rest stays as it is', () => {
  const manifests = renderMine(exampleIn(page, 'overlay'));
  const relay = workloadsOf(manifests).find(({ name }) => name === 'relay') as Workload;
  expect(relay.pod.containers[0].image).toBe(`registry.example/relay@sha256:${'1'.repeat(64)}`);
  for (const { pod } of workloadsOf(manifests)) expect(pod.imagePullSecrets).toEqual([{ name: 'registry' }]);
  expect(environmentOf(manifests, relay)).toMatchObject({
    PUBLIC_URL: 'https://dice.example',
    TRUSTED_PROXIES: '10.2.0.0/16',
    REQUIRE_TLS: 'on',
  });
  const { rules } = named(manifests, 'Ingress', 'relay').spec as { rules: { host: string }[] };
  expect(rules.map(({ host }) => host)).toEqual(['dice.example']);
  const added = ['ConfigMap', 'PodMonitor', 'PrometheusRule'];
  expect(manifests.map(({ kind }) => kind).toSorted()).toEqual(
    [...renderOverlay('production').map(({ kind }) => kind), ...added].toSorted(),
  );
  expect(JSON.stringify(manifests)).not.toContain('relay.example');
});

it('in another namespace stands all of it, the namespace too', () => {
  const overlay = exampleIn(page, 'overlay').replace('namespace: tabletop-relay', 'namespace: dice');
  const manifests = renderMine(overlay);
  const places = manifests
    .filter(({ kind }) => kind !== 'PriorityClass')
    .map(({ kind, metadata }) => (kind === 'Namespace' ? metadata.name : metadata.namespace));
  expect(new Set(places)).toEqual(new Set(['dice']));
});

it('for the Prometheus Operator each process is scraped once, by the job that alerts and dashboard name', () => {
  const manifests = renderMine(exampleIn(page, 'overlay'));
  const { selector, podMetricsEndpoints } = named(manifests, 'PodMonitor', 'tabletop-relay').spec as {
    selector: Parameters<typeof selects>[0];
    podMetricsEndpoints: { port: string; path: string; relabelings: { targetLabel: string }[] }[];
  };
  const scraped = workloadsOf(manifests).filter(({ podLabels }) => selects(selector, podLabels));
  expect(scraped.map(({ name }) => name).toSorted()).toEqual(['browser-host', 'relay', 'worker']);
  for (const { pod } of scraped)
    expect(pod.containers[0].ports?.map(({ name }) => name)).toContain(podMetricsEndpoints[0]?.port);
  expect(podMetricsEndpoints[0]?.relabelings.map(({ targetLabel }) => targetLabel)).toEqual([
    'job',
    'instance',
  ]);
  expect(JSON.stringify(manifests)).not.toContain('prometheus.io/scrape');
  const dashboard = named(manifests, 'ConfigMap', 'dashboard');
  expect(dashboard.metadata.labels).toMatchObject({ grafana_dashboard: '1' });
  expect(JSON.parse(dashboard.data?.['tabletop-relay.json'] ?? '')).toMatchObject({ uid: 'tabletop-relay' });
  const { groups } = named(manifests, 'PrometheusRule', 'tabletop-relay').spec as { groups: object[] };
  expect(groups).toEqual(readGroups());
});

it('another DNS takes the place of the usual one', () => {
  const manifests = renderMine(`resources: [../k8s/overlays/production]\n${exampleIn(page, 'dns')}`);
  const { egress } = named(manifests, 'NetworkPolicy', 'names').spec as { egress: object[] };
  expect(JSON.stringify(egress)).toContain('openshift-dns');
  expect(JSON.stringify(egress)).not.toContain('kube-dns');
});

it('the page’s ExternalSecrets make the same keys, and its restart names what reads the relay’s secret', () => {
  const made = parseAllDocuments(exampleIn(page, 'external-secrets')).flatMap((document) => {
    const { target, data } = (document.toJS() as { spec: ExternalSecret }).spec;
    return data.map(({ secretKey }) => `${target.name}/${secretKey}`);
  });
  const workloads = workloadsOf(renderOverlay('production'));
  expect(made.toSorted()).toEqual([...new Set(workloads.flatMap(keysOf))].toSorted());
  const restarted = [...exampleIn(page, 'restart').matchAll(/restart (.*)/g)].flatMap(([, names = '']) =>
    names.split(' '),
  );
  const readers = workloads.filter((workload) => keysOf(workload).includes('relay/relay-secret'));
  expect(restarted).toEqual(readers.map(({ name }) => `deployment/${name}`));
});

interface ExternalSecret {
  target: { name: string };
  data: { secretKey: string }[];
}

/** The keys of Secrets that a workload reads. */
const keysOf = ({ pod }: Workload) =>
  pod.volumes.flatMap(({ secret }) => (secret?.items ?? []).map(({ key }) => `${secret?.secretName}/${key}`));

it('the page makes the Secrets that the pods read, key by key', () => {
  const made = new Set<string>();
  for (const line of exampleIn(page, 'secrets').replaceAll('\\\n', '').split('\n')) {
    const secret = / create secret generic (\w+)/.exec(line)?.[1];
    for (const [, key] of line.matchAll(/--from-literal=([\w-]+)=/g)) made.add(`${secret}/${key}`);
  }
  const read = workloadsOf(renderOverlay('production')).flatMap(keysOf);
  expect([...made].toSorted()).toEqual([...new Set(read)].toSorted());
  const [ingress] = ofKind(renderOverlay('production'), 'Ingress');
  expect(JSON.stringify(ingress)).toContain('"secretName":"relay-tls"');
  expect(exampleIn(page, 'secrets')).toContain('create secret tls relay-tls ');
});
