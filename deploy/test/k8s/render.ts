import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

export const root = path.join(import.meta.dirname, '../../..');
export const overlays = ['single', 'production', 'production-gateway'] as const;

/** An object of Kubernetes. The schemas say what may stand in it; tests name the fields that they read. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  data?: Record<string, string>;
  spec?: unknown;
}

export interface EnvironmentEntry {
  name: string;
  value?: string;
  valueFrom?: { fieldRef: { fieldPath: string } };
}

export interface Probe {
  httpGet: { path: string; port: string };
}

export interface Container {
  name: string;
  image: string;
  command?: string[];
  ports?: { name: string; containerPort: number }[];
  env?: EnvironmentEntry[];
  envFrom?: { configMapRef: { name: string } }[];
  startupProbe?: Probe;
  readinessProbe?: Probe;
  livenessProbe?: Probe;
  lifecycle?: { preStop: { sleep: { seconds: number } } };
  resources: { requests: Record<string, string>; limits: Record<string, string> };
  securityContext: object;
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[];
}

export interface Pod {
  terminationGracePeriodSeconds?: number;
  automountServiceAccountToken: boolean;
  securityContext: object;
  imagePullSecrets?: { name: string }[];
  containers: [Container];
  volumes: {
    name: string;
    secret?: { secretName: string; items: { key: string; path: string }[] };
    emptyDir?: { medium: string; sizeLimit: string };
  }[];
  topologySpreadConstraints?: { labelSelector: { matchLabels: Record<string, string> } }[];
}

/** A Deployment or a Job with the pods that it makes. */
export interface Workload {
  name: string;
  kind: string;
  spec: Record<string, unknown>;
  podLabels: Record<string, string>;
  pod: Pod;
}

/** What `kubectl apply -k` would apply. */
export function render(folder: string): Manifest[] {
  const kustomize = fileURLToPath(import.meta.resolve('kustomize/run.js'));
  const text = execFileSync(process.execPath, [kustomize, 'build', path.join(root, folder)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
}

const rendered = new Map<string, Manifest[]>();

/** One of the repository's overlays. It takes a second of the processor, so that the text is kept for the other tests. */
export function renderOverlay(overlay: string): Manifest[] {
  const known = rendered.get(overlay) ?? renderKept(overlay);
  rendered.set(overlay, known);
  return structuredClone(known);
}

function renderKept(overlay: string): Manifest[] {
  const files = globSync('k8s/**/*.yaml', { cwd: root }).toSorted();
  const hash = createHash('sha256').update(overlay);
  for (const file of files) hash.update(file).update(readFileSync(path.join(root, file)));
  const kept = path.join(
    root,
    `node_modules/.cache/tabletop-relay/k8s-${hash.digest('hex').slice(0, 16)}.json`,
  );
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8')) as Manifest[];
  const manifests = render(`k8s/overlays/${overlay}`);
  mkdirSync(path.dirname(kept), { recursive: true });
  // Renamed, so that a test that runs beside this one never reads half of it.
  writeFileSync(`${kept}.${process.pid}`, JSON.stringify(manifests));
  renameSync(`${kept}.${process.pid}`, kept);
  return manifests;
}

export function ofKind(manifests: readonly Manifest[], kind: string): Manifest[] {
  return manifests.filter((manifest) => manifest.kind === kind);
}

export function named(manifests: readonly Manifest[], kind: string, name: string): Manifest {
  const found = ofKind(manifests, kind).find(({ metadata }) => metadata.name.startsWith(name));
  if (!found) throw new Error(`no ${kind} by the name ${name}`);
  return found;
}

export function workloadsOf(manifests: readonly Manifest[]): Workload[] {
  return manifests
    .filter(({ kind }) => ['Deployment', 'Job'].includes(kind))
    .map(({ kind, metadata, ...manifest }) => {
      const spec = manifest.spec as Record<string, unknown>;
      const template = spec['template'] as { metadata: { labels: Record<string, string> }; spec: Pod };
      return {
        name: metadata.name,
        kind,
        spec,
        podLabels: template.metadata.labels,
        pod: template.spec,
      };
    });
}

/** The environment of a workload's container: from the ConfigMap, and its own. */
export function environmentOf(manifests: readonly Manifest[], { pod }: Workload): Record<string, string> {
  const [{ env = [], envFrom = [] }] = pod.containers;
  const shared = envFrom.map(({ configMapRef }) => named(manifests, 'ConfigMap', configMapRef.name).data);
  const own = env.map(({ name, value, valueFrom }) => [name, value ?? valueFrom?.fieldRef.fieldPath ?? '']);
  return Object.assign({}, ...shared, Object.fromEntries(own)) as Record<string, string>;
}
