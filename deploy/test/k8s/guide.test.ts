import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { exampleIn, readPage } from '../../../docs/markdown-files.ts';
import { environmentOf, named, ofKind, render, renderOverlay, root, workloadsOf } from './render.ts';
import type { Workload } from './render.ts';

const page = readPage('docs/operations/kubernetes.md');

/** A copy of `k8s/`: folders of kustomize may not lie outside of the tree. */
function copyManifests(): string {
  const copy = mkdtempSync(path.join(root, 'node_modules/.k8s-'));
  onTestFinished(() => rmSync(copy, { recursive: true }));
  cpSync(path.join(root, 'k8s'), path.join(copy, 'k8s'), { recursive: true });
  return copy;
}

it('the page’s overlay names images, address and host, and the rest stays as it is', () => {
  const copy = copyManifests();
  mkdirSync(path.join(copy, 'mine'));
  writeFileSync(path.join(copy, 'mine/kustomization.yaml'), exampleIn(page, 'overlay'));
  const manifests = render(path.relative(root, path.join(copy, 'mine')));
  const relay = workloadsOf(manifests).find(({ name }) => name === 'relay') as Workload;
  expect(relay.pod.containers[0].image).toBe('registry.example/relay:0.1.0');
  expect(environmentOf(manifests, relay)).toMatchObject({
    PUBLIC_URL: 'https://dice.example',
    TRUSTED_PROXIES: '10.2.0.0/16',
    REQUIRE_TLS: 'on',
  });
  const { rules } = named(manifests, 'Ingress', 'relay').spec as { rules: { host: string }[] };
  expect(rules.map(({ host }) => host)).toEqual(['dice.example']);
  expect(manifests.map(({ kind }) => kind).toSorted()).toEqual(
    renderOverlay('production')
      .map(({ kind }) => kind)
      .toSorted(),
  );
  expect(JSON.stringify(manifests)).not.toContain('relay.example');
});

it('the page makes the Secrets that the pods read, key by key', () => {
  const made = new Set<string>();
  for (const line of exampleIn(page, 'secrets').replaceAll('\\\n', '').split('\n')) {
    const secret = / create secret generic (\w+)/.exec(line)?.[1];
    for (const [, key] of line.matchAll(/--from-literal=([\w-]+)=/g)) made.add(`${secret}/${key}`);
  }
  const read = workloadsOf(renderOverlay('production')).flatMap(({ pod }) =>
    pod.volumes.flatMap(({ secret }) =>
      (secret?.items ?? []).map(({ key }) => `${secret?.secretName}/${key}`),
    ),
  );
  expect([...made].toSorted()).toEqual([...new Set(read)].toSorted());
  const [ingress] = ofKind(renderOverlay('production'), 'Ingress');
  expect(JSON.stringify(ingress)).toContain('"secretName":"relay-tls"');
  expect(exampleIn(page, 'secrets')).toContain('create secret tls relay-tls ');
});
