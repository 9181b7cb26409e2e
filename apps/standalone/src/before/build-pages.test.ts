import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { planBuild } from './build-pages.ts';

const never = new AbortController().signal;

function write(folder: string, name: string, text: string): void {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function ownRepository(build: string): string {
  const repository = mkdtempSync(path.join(os.tmpdir(), 'relay-build-'));
  onTestFinished(() => rmSync(repository, { recursive: true }));
  write(repository, 'package.json', JSON.stringify({ scripts: { build } }));
  write(repository, 'apps/dashboard/package.json', JSON.stringify({ scripts: { build: 'true' } }));
  write(repository, 'apps/relay/package.json', '{}');
  write(repository, 'docs/guide.md', 'one');
  return repository;
}

test('pages are built when a file that they are made from is new, gone or changed, and not otherwise', async () => {
  const repository = ownRepository('mkdir -p apps/dashboard/dist');
  const isNeeded = () => planBuild(repository).isNeeded;
  const built = () => planBuild(repository).run(never);
  expect(isNeeded()).toBe(true);
  await built();
  expect(isNeeded()).toBe(false);
  for (const name of ['apps/relay/src/app.ts', 'packages/a/x.test.ts', 'packages/a/node_modules/b.js'])
    write(repository, name, 'two');
  expect(isNeeded()).toBe(false);
  for (const name of ['docs/guide.md', 'packages/sdk/src/client.ts', 'pnpm-lock.yaml']) {
    write(repository, name, 'two');
    expect(isNeeded(), name).toBe(true);
    await built();
  }
  rmSync(path.join(repository, 'docs/guide.md'));
  expect(isNeeded()).toBe(true);
  await built();
  rmSync(path.join(repository, 'apps/dashboard/dist'), { recursive: true });
  expect(isNeeded()).toBe(true);
});

test('a build that fails leaves no mark, and says what a person can mend', async () => {
  const repository = ownRepository('echo "ENOSPC: no space left on device" && exit 1');
  await expect(planBuild(repository).run(never)).rejects.toThrow(/^the disk is full$/);
  expect(planBuild(repository).isNeeded).toBe(true);
});
