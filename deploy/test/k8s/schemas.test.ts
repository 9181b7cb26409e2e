import { Ajv } from 'ajv';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ofKind, overlays, renderOverlay } from './render.ts';
import type { Manifest } from './render.ts';

/** The schemas of Kubernetes, closed: a field that it does not know is a problem. */
const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: false });
const folder = path.join(import.meta.dirname, 'schemas');
const schemas = globSync('*.json', { cwd: folder }).map(
  (file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as SchemaOfKind,
);
interface SchemaOfKind {
  properties: { apiVersion: { enum: string[] }; kind: { enum: string[] } };
}

/** Gateway API kinds come as custom resources. */
const isOfGatewayApi = ({ apiVersion }: Manifest) => apiVersion === 'gateway.networking.k8s.io/v1';
const ofTheCluster = ['Namespace', 'PriorityClass'];

function problemsOf(manifest: Manifest): unknown {
  const schema = schemas.find(
    ({ properties: { apiVersion, kind } }) =>
      apiVersion.enum.includes(manifest.apiVersion) && kind.enum.includes(manifest.kind),
  );
  if (!schema) return `no schema of ${manifest.apiVersion} ${manifest.kind}`;
  const check = ajv.compile(schema);
  return check(manifest) ? undefined : check.errors;
}

describe.each(overlays)('the overlay %s', (overlay) => {
  const manifests = renderOverlay(overlay);

  it('has only fields that Kubernetes knows, with values that it takes', () => {
    const checked = manifests.filter((manifest) => !isOfGatewayApi(manifest));
    expect(checked.length).toBeGreaterThan(10);
    for (const manifest of checked) expect(problemsOf(manifest), manifest.metadata.name).toBeUndefined();
  });

  it('names each object once, in one namespace', () => {
    const ids = manifests.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
    expect(ids.toSorted()).toEqual([...new Set(ids)].toSorted());
    const outside = manifests.filter(({ metadata }) => metadata.namespace !== 'tabletop-relay');
    expect(ofTheCluster).toEqual(expect.arrayContaining(outside.map(({ kind }) => kind)));
    expect(outside).not.toEqual([]);
  });

  it('says who it is to roll-outs and policies', () => {
    const parts = manifests.map(({ metadata }) => metadata.labels?.['app.kubernetes.io/part-of']);
    expect(new Set(parts)).toEqual(new Set(['tabletop-relay']));
  });
});

it('a field that Kubernetes does not know is found', () => {
  const [service] = ofKind(renderOverlay('single'), 'Service') as [Manifest];
  expect(problemsOf(service)).toBeUndefined();
  expect(problemsOf({ ...service, spec: { ...(service.spec as object), selectors: {} } })).toMatchObject([
    { params: { additionalProperty: 'selectors' } },
  ]);
});
