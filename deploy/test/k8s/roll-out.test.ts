import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { ofKind, renderOverlay, root } from './render.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'relay-roll-out-'));
const log = path.join(folder, 'log');
const kubectl = path.join(folder, 'kubectl');
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => writeFileSync(log, ''));

/** Runs the script with a kubectl that notes what it is asked, and says how the migration ended. */
function rollOut(migration: 'Complete' | 'Failed'): {
  status: number | null;
  asked: string[];
  stderr: string;
} {
  writeFileSync(
    kubectl,
    `#!/bin/sh
echo "$*" | sed 's#/tmp[^ ]*#FILE#' >> ${log}
case "$*" in
*jsonpath*) printf 'SuccessCriteriaMet ${migration}' ;;
*'get deployments'*) echo deployment.apps/relay ;;
esac
`,
  );
  chmodSync(kubectl, 0o755);
  const { status, stderr } = spawnSync(path.join(root, 'k8s/roll-out'), ['some/overlay'], {
    env: { ...process.env, KUBECTL: kubectl },
    encoding: 'utf8',
  });
  return { status, stderr, asked: readFileSync(log, 'utf8').trim().split('\n') };
}

const migration = [
  'kustomize some/overlay',
  '-n tabletop-relay delete job migrate --ignore-not-found',
  'apply -f FILE -l tabletop-relay/phase=migrate',
  `-n tabletop-relay get job migrate -o jsonpath={.status.conditions[?(@.status=="True")].type}`,
];

it('a roll-out migrates first, then applies everything and waits for it', () => {
  expect(rollOut('Complete')).toEqual({
    status: 0,
    stderr: '',
    asked: [
      ...migration,
      'apply -f FILE',
      '-n tabletop-relay get deployments -l app.kubernetes.io/part-of=tabletop-relay -o name',
      '-n tabletop-relay rollout status deployment.apps/relay --timeout=20m',
    ],
  });
});

it('a roll-out whose migration failed changes nothing else, and says so', () => {
  const { status, stderr, asked } = rollOut('Failed');
  expect(status).toBe(1);
  expect(stderr).toBe('the migration failed: nothing else was changed\n');
  expect(asked).toEqual([...migration, '-n tabletop-relay logs job/migrate']);
});

it('what comes first is the Job and what it needs', () => {
  const first = renderOverlay('production').filter(
    ({ metadata }) => metadata.labels?.['tabletop-relay/phase'] === 'migrate',
  );
  const names = first.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
  expect(names.toSorted()).toEqual([
    'Job/migrate',
    'Namespace/tabletop-relay',
    'NetworkPolicy/default-deny',
    'NetworkPolicy/migrate',
    'NetworkPolicy/names',
  ]);
  const [job] = ofKind(first, 'Job');
  expect(JSON.stringify(job)).not.toContain('configMapRef');
});
