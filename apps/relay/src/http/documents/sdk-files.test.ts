import fastify from 'fastify';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { version } from '@tabletop-relay/process';
import { registerSdkFiles } from './sdk-files.ts';

const folders = ['sdk', 'module-sdk'].map((name) => mkdtempSync(path.join(os.tmpdir(), `relay-${name}-`)));
const name = `tabletop-relay-module-sdk-${version}.tgz`;
const app = fastify();

beforeAll(async () => {
  await registerSdkFiles(app, folders);
  writeFileSync(path.join(folders[1] ?? '', name), 'package');
  writeFileSync(path.join(folders[1] ?? '', 'index.js'), 'code');
});
afterAll(async () => {
  await app.close();
  for (const folder of folders) rmSync(folder, { recursive: true });
});

describe('the package of an SDK', () => {
  it('is served under its version for ever, though it was built after the start', async () => {
    const { statusCode, headers, body } = await app.inject(`/sdk/${name}`);
    expect([statusCode, body]).toEqual([200, 'package']);
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      etag: expect.any(String) as unknown,
    });
    const again = await app.inject({ url: `/sdk/${name}`, headers: { 'if-none-match': headers.etag } });
    expect(again.statusCode).toBe(304);
  });

  it.each([
    ['of another version', 'tabletop-relay-module-sdk-0.0.0.tgz'],
    ['that is not built', `tabletop-relay-sdk-${version}.tgz`],
    ['without a version', 'tabletop-relay-module-sdk.tgz'],
    ['beside it', 'index.js'],
    ['above it', '..%2Fpackage.json'],
  ])('is not found: one %s', async (_what, file) => {
    expect((await app.inject(`/sdk/${file}`)).statusCode).toBe(404);
  });
});
