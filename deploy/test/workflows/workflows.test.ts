import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeConfig } from '@tabletop-relay/process';
import { parse } from 'yaml';
import { BrowserHostConfigSchema } from '../../../apps/browser-host/src/config.ts';
import { RelayConfigSchema } from '../../../apps/relay/src/config.ts';
import { WorkerConfigSchema } from '../../../apps/worker/src/config.ts';
import { readPage } from '../../../docs/markdown-files.ts';
import { targets } from '../images/dockerfile.ts';
import { root } from '../k8s/render.ts';

interface Step {
  uses?: string;
  run?: string;
  shell?: string;
  with?: Record<string, unknown>;
  env?: Record<string, string>;
}
interface Workflow {
  permissions?: Record<string, string>;
  jobs: Record<string, { permissions?: Record<string, string>; 'timeout-minutes'?: number; steps: Step[] }>;
}

const scripts = (JSON.parse(readPage('package.json')) as { scripts: Record<string, string> }).scripts;
const pnpmsOwn = ['install'];
/** Ends with what the last program says: the one before it only writes a word. */
const isSignIn = (run = '') => /^printf .* \| docker login /.test(run);
const files = globSync('.github/workflows/*.yml', { cwd: root });

describe.each(files)('%s', (file) => {
  const workflow = parse(readPage(file)) as Workflow;
  const jobs = Object.entries(workflow.jobs);
  const steps = jobs.flatMap(([, job]) => job.steps);

  it('may read the repository and nothing else, unless a job says what it writes', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    const more = jobs
      .filter(([, { permissions }]) => permissions)
      .map(([name, { permissions }]) => [name, permissions]);
    const ofRelease = [
      // Who signs, and who publishes, is told by the identity of the run.
      ['images', { contents: 'read', 'id-token': 'write' }],
      ['sdks', { contents: 'read', 'id-token': 'write' }],
      ['release', { contents: 'write' }],
    ];
    expect(more).toEqual(file.endsWith('release.yml') ? ofRelease : []);
  });

  it('takes actions by digest, and leaves no credentials behind', () => {
    for (const { uses } of steps.filter((step) => step.uses)) expect(uses).toMatch(/@[0-9a-f]{40}$/);
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    for (const { with: inputs } of checkouts) expect(inputs).toMatchObject({ 'persist-credentials': false });
  });

  it('runs scripts that are there, each job with an end', () => {
    const mostMinutes = file.endsWith('slow.yml') ? 180 : 30;
    for (const [name, job] of jobs) expect(job['timeout-minutes'], name).toBeLessThanOrEqual(mostMinutes);
    for (const { run = '' } of steps) {
      for (const [, script = ''] of run.matchAll(/pnpm@[\d.]+ ([\w:]+)/g))
        expect([...Object.keys(scripts), ...pnpmsOwn]).toContain(script);
      for (const [, program = ''] of run.matchAll(/^(\.[\w./]+)/gm))
        expect(existsSync(path.join(root, program)), program).toBe(true);
    }
  });

  it('fails where a program before a pipe does: only a bash that is named looks at it', () => {
    const piped = steps.filter(({ run = '' }) => /[^|]\|[^|]/.test(run.replaceAll(/'[^']*'/g, '')));
    expect(piped.filter(({ run, shell }) => shell !== 'bash' && !isSignIn(run))).toEqual([]);
  });

  it('has no sources under a node_modules, where Node strips no types', () => {
    for (const { with: inputs } of steps) expect(String(inputs?.['path'])).not.toContain('node_modules');
  });

  it('puts nothing that others write into a shell', () => {
    for (const { run = '' } of steps) expect(run).not.toContain('${{');
  });
});

it('a release builds the targets of the Dockerfile', () => {
  const { jobs } = parse(readPage('.github/workflows/release.yml')) as {
    jobs: { images: { strategy: { matrix: { target: string[] } }; steps: Step[] } };
  };
  const commands = readPage('deploy/Dockerfile').match(/(?<=^COPY --from=)[\w-]+(?=-files \/app)/gm) ?? [];
  expect(jobs.images.strategy.matrix.target.toSorted()).toEqual(commands.toSorted());
  const build = jobs.images.steps.map(({ run = '' }) => run).join('\n');
  expect(build).toContain('--sbom=true --provenance=mode=max');
  expect(build).toContain('cosign sign --yes --recursive "$REGISTRY/$TARGET@$digest"');
});

it('the notes of a release are its part of the changelog', () => {
  const { jobs } = parse(readPage('.github/workflows/release.yml')) as Workflow;
  const write = jobs['release']?.steps.map(({ run = '' }) => run).find((run) => run.includes('awk')) ?? '';
  const [command = ''] = write.split('\n');
  const folder = mkdtempSync(path.join(tmpdir(), 'notes-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const changelog = '# Changelog\n\n## 1.2.0 (2026-01-02)\n\nnew\n\n### Part\n\n## 1.2 (2025-01-02)\n\nold\n';
  writeFileSync(path.join(folder, 'CHANGELOG.md'), changelog);
  execFileSync('bash', ['-c', command], { cwd: folder, env: { ...process.env, TAG: 'v1.2.0' } });
  expect(readFileSync(path.join(folder, 'notes.md'), 'utf8').trim()).toBe('new\n\n### Part');
});

/** A version that has no tag yet is named as what it is. */
it('all packages have the version of the changelog’s newest part', () => {
  const [, version, state] = /^## (\S+) \((.+)\)$/m.exec(readPage('CHANGELOG.md')) ?? [];
  expect(state).toMatch(/^(\d{4}-\d\d-\d\d|not released yet)$/);
  const manifests = globSync(['package.json', 'deploy/package.json', '{apps,packages}/*/package.json'], {
    cwd: root,
  });
  const versions = manifests.map((file) => (JSON.parse(readPage(file)) as { version?: string }).version);
  expect(new Set(versions.filter((one) => one !== undefined))).toEqual(new Set([version]));
});

it('every migration since the release before is in the upgrade notes of the newest version', () => {
  const packed = brotliDecompressSync(
    readFileSync(path.join(root, 'apps/relay/test/versions/release-before.br')),
  );
  const before = new Set(Object.keys(JSON.parse(packed.toString()) as object));
  const added = globSync('migrations/*.sql', { cwd: root }).filter((file) => !before.has(file));
  expect(before.has('migrations/0001-accounts.sql')).toBe(true);
  const [, newest = ''] = readPage('CHANGELOG.md').split(/^## /m);
  const numbers = added.map((file) => /\d{4}/.exec(file)?.[0] ?? '');
  expect(numbers.filter((number) => !newest.includes(`| ${number} `))).toEqual([]);
});

it('every setting since the release before is in the upgrade notes of the newest version', () => {
  const packed = brotliDecompressSync(
    readFileSync(path.join(root, 'apps/relay/test/versions/release-before.br')),
  );
  const before = Object.values(JSON.parse(packed.toString()) as Record<string, string>).join('\n');
  const camelCase = (name: string) =>
    name.toLowerCase().replaceAll(/_(.)/g, (_all, letter: string) => letter.toUpperCase());
  // Limits of endpoints are named without LIMIT_, and their settings made from that.
  const wasThere = (name: string) =>
    before.includes(`${camelCase(name)}:`) ||
    before.includes(`${camelCase(name.replace('LIMIT_', ''))}:{rate:`);
  const settings = [RelayConfigSchema, WorkerConfigSchema, BrowserHostConfigSchema].flatMap((schema) =>
    describeConfig(schema),
  );
  const names = [...new Set(settings.map(({ name }) => name))];
  expect(names.filter(wasThere).length).toBeGreaterThan(40);
  const [, newest = ''] = readPage('CHANGELOG.md').split(/^## /m);
  const [listed = ''] = /^New settings, all with a default: [^:]+/m.exec(newest) ?? [];
  const told: string[] = listed.match(/(?<=`)[A-Z_\d]+(?=`)/g) ?? [];
  expect(told.filter((name) => !names.includes(name))).toEqual([]);
  expect(names.filter((name) => !wasThere(name) && !told.includes(name))).toEqual([]);
});

it('pages name no tag of an image or of the repository but those that were released', () => {
  const released = new Set<string>(readPage('CHANGELOG.md').match(/(?<=^## )\S+(?= \(\d{4}-)/gm));
  const pages = globSync(['README.md', 'CONTRIBUTING.md', 'docs/**/*.md'], { cwd: root });
  const named = pages.flatMap((page) =>
    [
      ...readPage(page).matchAll(
        /(?:\/(?:relay|worker|browser-host):|\btags?\/v|(?:--branch|checkout) v?)(\d+\.\d+\.\d+)/g,
      ),
    ].map(([, version = '']) => ({ page, version })),
  );
  expect(named.filter(({ version }) => !released.has(version))).toEqual([]);
});

it('images are built and tried as they are released', () => {
  const text = readPage('.github/workflows/images.yml');
  expect(text).toContain(`for target in ${targets.join(' ')}`);
  expect(text).toContain('acceptance --images');
});

it('where images and packages go is told by variables of the repository', () => {
  const text = readPage('.github/workflows/release.yml');
  expect(text).toContain('REGISTRY: ${{ vars.REGISTRY }}');
  expect(text).toContain('--tag "$REGISTRY/');
  expect(text).toContain('NPM_REGISTRY: ${{ vars.NPM_REGISTRY }}');
  expect(text.match(/npm publish (?!--registry "\$NPM_REGISTRY")/)).toBeNull();
});

it('a release publishes every package that is not private', () => {
  const { jobs } = parse(readPage('.github/workflows/release.yml')) as {
    jobs: { sdks: { strategy: { matrix: { name: string[] } } } };
  };
  const manifests = globSync('{apps,packages}/*/package.json', { cwd: root });
  const open = manifests.filter((file) => !(JSON.parse(readPage(file)) as { private?: boolean }).private);
  expect(jobs.sdks.strategy.matrix.name.map((name) => `packages/${name}/package.json`).toSorted()).toEqual(
    open.toSorted(),
  );
});

it('no workflow and no template names a registry or a person', () => {
  const text = [...files, 'deploy/Dockerfile'].map(readPage).join('\n');
  expect(text.match(/ghcr\.io|quay\.io|index\.docker\.io|registry\.npmjs/g)).toBeNull();
});

it('forms and updates can be read', () => {
  for (const file of globSync(['.github/ISSUE_TEMPLATE/*.yml', '.github/dependabot.yml'], { cwd: root }))
    expect(parse(readFileSync(path.join(root, file), 'utf8')), file).toBeTypeOf('object');
});
