import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startInstances } from '../../relay/test/instances.ts';
import type { TestInstances } from '../../relay/test/instances.ts';

const dist = path.join(import.meta.dirname, '../dist');

let instances: TestInstances;
let url: string;
beforeAll(async () => {
  instances = await startInstances();
  url = instances.instances[0].url;
});
afterAll(() => instances.stop());

test('the first page weighs less than 100 KB, zipped', () => {
  const document = readFileSync(path.join(dist, 'index.html'), 'utf8');
  const named = [...document.matchAll(/(?:src|href)="\/dashboard\/([^"]+)"/g)].map(([, name]) => name ?? '');
  expect(named.length).toBeGreaterThanOrEqual(3);
  const bytes = ['index.html', ...named].map((name) => gzipSync(readFileSync(path.join(dist, name))).length);
  expect(bytes.reduce((sum, size) => sum + size)).toBeLessThan(100_000);
  // The console's schemas, and what talks to passkeys and draws QR codes, are not among them.
  for (const part of ['try-page', 'plots', 'activity-page', 'passkeys', 'set-up-app']) {
    expect(readdirSync(path.join(dist, 'assets')).some((name) => name.startsWith(part))).toBe(true);
  }
});

test.each([
  ['/dashboard', ['plots', 'calls']],
  ['/dashboard/try', ['try-page', 'calls', 'operations']],
  ['/dashboard/activity', ['activity-page', 'calls']],
  ['/dashboard/worlds', []],
  ['/dashboard/worlds/some-world', ['plots', 'calls']],
  ['/dashboard/notifications', ['notifications-page']],
  ['/dashboard/account', ['second-factors']],
  ['/pair/ABC', ['pair-request-page']],
  ['/dashboard/nowhere', []],
])('the document at %s names what its page needs beyond the first files', async (address, wanted) => {
  const index = readFileSync(path.join(dist, 'index.html'), 'utf8');
  const document = await (await fetch(url + address)).text();
  const scriptsIn = (text: string) =>
    [...text.matchAll(/\/assets\/([\w-]+)-[\w-]{8}\.js/g)].map(([, name = '']) => name);
  const first = scriptsIn(index);
  expect(first).not.toEqual([]);
  expect(scriptsIn(document).filter((name) => !first.includes(name))).toEqual(wanted);
  expect(scriptsIn(document)).toEqual(expect.arrayContaining(first));
});

const firstOf = async (address: string) =>
  /<script src="(\/dashboard\/assets\/first-\w+\.js)"([^>]*)>/.exec(
    await (await fetch(url + address)).text(),
  );

test('each document runs the same first script, which browsers ask for once', async () => {
  const found = new Set<string | undefined>();
  for (const address of ['/dashboard', '/dashboard/sign-in', '/docs', '/guides', '/errors/client_offline'])
    found.add((await firstOf(address))?.[1]);
  const [script] = found;
  expect(found.size).toBe(1);
  const response = await fetch(url + script);
  expect(response.headers.get('cache-control')).toContain('immutable');
});

test('what a stranger opens asks for nothing beside its code', async () => {
  for (const address of ['/dashboard/sign-in', '/docs', '/guides'])
    expect((await firstOf(address))?.[2]).toBe('');
  expect((await firstOf('/approve/ABC'))?.[2]).toContain(
    'data-asks="/auth/key-request/{last} /auth/account"',
  );
});

test('the policy lets nothing in but our own files, and no page frames ours', async () => {
  const response = await fetch(`${url}/dashboard`);
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
  expect(policy).toContain("frame-ancestors 'none'");
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
});

test('files are found by name alone: no path leads out of the build', async () => {
  for (const name of ['..%2f..%2fpackage.json', '%2e%2e%2findex.html', 'nothing.js']) {
    const response = await fetch(`${url}/dashboard/assets/${name}`);
    expect(response.status).toBe(404);
  }
});
