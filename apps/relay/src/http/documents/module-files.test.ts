import { createMemoryLedger, createQuotas } from '@tabletop-relay/limits';
import fastify from 'fastify';
import { unzipSync } from 'fflate';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { registerRateLimit } from '../../limits/rate-limit.ts';
import { ProblemError } from '../../problem.ts';
import { registerModuleFiles } from './module-files.ts';
import { packModule } from './module-package.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'relay-module-'));
const noted: [string, string][] = [];
const app = fastify();
const limit = { max: 100, windowMs: 60_000 };

beforeAll(async () => {
  app.setErrorHandler((error, _request, reply) =>
    reply.code(error instanceof ProblemError ? error.status : 500).send(),
  );
  await registerRateLimit(app, createQuotas({ ledger: createMemoryLedger('test') }));
  registerModuleFiles(app, {
    publicUrlOf: ({ host }) => `https://${host}`,
    limit,
    noteDownload: (word, part) => Promise.resolve(void noted.push([word, part])),
    folder,
  });
  await app.ready();
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => void (noted.length = 0));

function write() {
  mkdirSync(path.join(folder, 'languages'), { recursive: true });
  writeFileSync(path.join(folder, 'module.json'), '{"id":"tabletop-relay","version":"1.2.3"}');
  writeFileSync(path.join(folder, 'languages/en.json'), '{}');
  writeFileSync(path.join(folder, '.built-from'), 'a mark of the build');
}

const get = (url: string, host = 'relay.example', headers = {}) =>
  app.inject({ url, headers: { host, ...headers } });

test('nothing is served before it is built, and it is found without a start anew', async () => {
  expect((await get('/module/module.json')).statusCode).toBe(404);
  write();
  expect((await get('/module/module.json')).statusCode).toBe(200);
});

test('the zip that the manifest names is there, and holds this relay’s address', async () => {
  const { headers, body } = await get('/module/module.json');
  const manifest = JSON.parse(body) as Record<string, unknown>;
  expect(manifest).toMatchObject({
    manifest: 'https://relay.example/module/module.json',
    download: expect.stringMatching(
      /^https:\/\/relay\.example\/module\/tabletop-relay-1\.2\.3-[0-9a-f]{12}\.zip$/,
    ) as unknown,
    flags: { 'tabletop-relay': { relayUrl: 'wss://relay.example' } },
  });
  expect(headers).toMatchObject({ 'cache-control': 'no-cache', etag: expect.any(String) as unknown });
  const zip = await get(new URL(String(manifest['download'])).pathname);
  expect(zip.headers['content-type']).toBe('application/zip');
  const members = unzipSync(zip.rawPayload);
  expect(Object.keys(members)).toEqual(['languages/en.json', 'module.json']);
  expect(JSON.parse(Buffer.from(members['module.json']!).toString())).toEqual(manifest);
  for (const [url, { etag }] of [
    ['/module/module.json', headers],
    [new URL(String(manifest['download'])).pathname, zip.headers],
  ] as const) {
    // Proxies that compress weaken it, and clients may hold several.
    for (const known of [String(etag), `W/${String(etag)}`, `"other", ${String(etag)}`, '*'])
      expect((await get(url, undefined, { 'if-none-match': known })).statusCode, known).toBe(304);
    expect((await get(url, undefined, { 'if-none-match': '"other"' })).statusCode).toBe(200);
  }
});

test('two builds of one source are one zip, another content or address is another name', () => {
  const one = packModule(folder, 'https://a.example');
  const again = packModule(folder, 'https://a.example');
  expect(one?.zip.equals(again?.zip ?? Buffer.alloc(0))).toBe(true);
  expect(packModule(folder, 'https://b.example')?.zipName).not.toBe(one?.zipName);
  writeFileSync(path.join(folder, 'languages/en.json'), '{"a":1}');
  expect(packModule(folder, 'https://a.example')?.zipName).not.toBe(one?.zipName);
  write();
});

test('a word of the address is told with each download, and stands in none of what is installed', async () => {
  const { body } = await get('/module/w0rd/module.json');
  const { download, manifest } = JSON.parse(body) as { download: string; manifest: string };
  expect(manifest).toBe('https://relay.example/module/module.json');
  const zip = await get(new URL(download).pathname);
  expect([zip.statusCode, zip.headers['cache-control']]).toEqual([200, 'no-cache']);
  expect(noted).toEqual([
    ['w0rd', 'manifest'],
    ['w0rd', 'package'],
  ]);
  expect(Buffer.from(unzipSync(zip.rawPayload)['module.json']!).toString()).not.toContain('w0rd');
  await get('/module/module.json');
  expect(noted).toHaveLength(2);
});

test.each([
  ['of another version', '/module/tabletop-relay-0.0.0-000000000000.zip'],
  ['beside it', '/module/.built-from'],
  ['above it', '/module/..%2Fpackage.json'],
  ['in a folder', '/module/languages/en.json'],
])('a file is not found: one %s', async (_what, url) => {
  const answer = await get(url);
  expect(answer.statusCode).toBe(404);
  expect(answer.headers['retry-after']).toBe('60');
});
