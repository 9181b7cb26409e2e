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
function rollOut(
  migration: 'Complete' | 'Failed' | 'Suspended',
  namespace = 'tabletop-relay',
): {
  status: number | null;
  asked: string[];
  stderr: string;
} {
  writeFileSync(
    kubectl,
    `#!/bin/sh
echo "$*" | sed 's#/tmp[^ ]*#FILE#' >> ${log}
case "$*" in
kustomize*) printf 'kind: Namespace\\nmetadata:\\n  name: other\\n---\\nkind: Job\\nmetadata:\\n  name: migrate\\n  namespace: ${namespace}\\n' ;;
*jsonpath*) printf 'SuccessCriteriaMet ${migration}' ;;
*'get deployments'*) echo deployment.apps/relay ;;
esac
`,
  );
  chmodSync(kubectl, 0o755);
  // An hour is over at the second look at the clock.
  const clock = path.join(folder, 'clock');
  writeFileSync(clock, '0');
  writeFileSync(
    path.join(folder, 'date'),
    `#!/bin/sh\nread -r now < ${clock}; echo $((now + 4000)) > ${clock}; echo "$now"\n`,
    { mode: 0o755 },
  );
  const { status, stderr } = spawnSync(path.join(root, 'k8s/roll-out'), ['some/overlay'], {
    env: { ...process.env, KUBECTL: kubectl, PATH: `${folder}:${process.env['PATH']}` },
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

it('a roll-out goes into the namespace that the overlay names, and into none where it names none', () => {
  const { status, asked } = rollOut('Complete', 'dice');
  expect(status).toBe(0);
  expect(asked[1]).toBe('-n dice delete job migrate --ignore-not-found');
  expect(asked.at(-1)).toBe('-n dice rollout status deployment.apps/relay --timeout=20m');
  const none = rollOut('Complete', '');
  expect(none).toMatchObject({ status: 1, stderr: 'the overlay some/overlay names no namespace\n' });
});

it('a roll-out whose migration never ends is given up, and nothing else was changed', () => {
  const { status, stderr, asked } = rollOut('Suspended');
  expect([status, stderr]).toEqual([1, 'the migration did not end: nothing else was changed\n']);
  expect(asked.at(-1)).toBe('-n tabletop-relay describe job migrate');
  expect(asked).not.toContain('apply -f FILE');
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
