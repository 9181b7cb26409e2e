import fastify from 'fastify';
import { strFromU8, unzipSync } from 'fflate';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { version } from '@tabletop-relay/process';
import { packWheel } from './python-wheel.ts';
import { registerSdkFiles } from './sdk-files.ts';

const packages = path.join(import.meta.dirname, '../../../../../packages');
const python = path.join(packages, 'sdk-python');
const root = mkdtempSync(path.join(os.tmpdir(), 'relay-packages-'));
const name = `tabletop-relay-module-sdk-${version}.tgz`;
const app = fastify();

function build(folder: string, file: string, text: string): void {
  mkdirSync(path.join(root, folder, 'dist'), { recursive: true });
  writeFileSync(path.join(root, folder, 'dist', file), text);
}

beforeAll(async () => {
  // The source of the Python SDK needs no build.
  symlinkSync(python, path.join(root, 'sdk-python'));
  await registerSdkFiles(app, root);
  build('module-sdk', name, 'package');
  build('module-sdk', 'index.js', 'code');
});
afterAll(async () => {
  await app.close();
  rmSync(root, { recursive: true });
});

const forEver = 'public, max-age=31536000, immutable';

describe('the package of an SDK', () => {
  it('is served under its version for ever, though it was built after the start', async () => {
    const { statusCode, headers, body } = await app.inject(`/sdk/${name}`);
    expect([statusCode, body]).toEqual([200, 'package']);
    expect(headers).toMatchObject({ 'cache-control': forEver, etag: expect.any(String) as unknown });
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

describe('the wheel of the Python SDK', () => {
  const plain = `/sdk/tabletop_relay-${version}-py3-none-any.whl`;

  it('is found by its version, and is served for ever by a name that has the hash of its content', async () => {
    const found = await app.inject(plain);
    expect([found.statusCode, found.headers['cache-control']]).toEqual([302, 'no-cache']);
    const location = String(found.headers.location);
    expect(location).toMatch(/^tabletop_relay-[\d.]+-0_[0-9a-f]{12}-py3-none-any\.whl$/);
    const { statusCode, headers, rawPayload } = await app.inject(`/sdk/${location}`);
    expect(statusCode).toBe(200);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(rawPayload.equals(packWheel(python)?.bytes ?? Buffer.alloc(0))).toBe(true);
    expect(rawPayload.length).toBeLessThan(300_000);
    for (const other of [location.replace(/0_\w{4}/, '0_0000'), 'tabletop_relay-0.0.0-py3-none-any.whl'])
      expect((await app.inject(`/sdk/${other}`)).statusCode).toBe(404);
  });

  it('records each of its files, and is the same whenever it is packed from the same sources', () => {
    const copy = mkdtempSync(path.join(os.tmpdir(), 'relay-python-'));
    onTestFinished(() => rmSync(copy, { recursive: true }));
    cpSync(python, copy, { recursive: true });
    utimesSync(path.join(copy, 'README.md'), 1, 1);
    const [one, other] = [packWheel(python), packWheel(copy)];
    expect([other?.name, other?.bytes.equals(one?.bytes ?? Buffer.alloc(0))]).toEqual([one?.name, true]);

    const members = unzipSync(one?.bytes ?? Buffer.alloc(0));
    const lines = strFromU8(members[`tabletop_relay-${version}.dist-info/RECORD`]!).trimEnd().split('\n');
    expect(lines.map((line) => line.split(',')[0])).toEqual(Object.keys(members));
    for (const line of lines.slice(0, -1)) {
      const [name = '', hash, size] = line.split(',');
      const bytes = members[name] ?? Buffer.alloc(0);
      expect([hash, Number(size)]).toEqual([
        `sha256=${createHash('sha256').update(bytes).digest('base64url')}`,
        bytes.length,
      ]);
    }

    const init = path.join(copy, 'src/tabletop_relay/__init__.py');
    writeFileSync(init, `${readFileSync(init, 'utf8')}# more\n`);
    expect(packWheel(copy)?.name).not.toBe(one?.name);
  });

  it('is a 404 where its source is not', async () => {
    const bare = fastify();
    await registerSdkFiles(bare, path.join(os.tmpdir(), 'relay-nowhere'));
    expect((await bare.inject(plain)).statusCode).toBe(404);
    await bare.close();
  });
});

describe.each([
  ['tabletop.mjs', String.raw`^tabletop-${version}-[0-9a-f]{12}\.mjs$`],
  [`tabletop-relay-cli-${version}.tgz`, String.raw`^tabletop-relay-cli-${version}-[0-9a-f]{12}\.tgz$`],
])('the command line as %s', (file, pattern) => {
  it('leads to a name with version and digest, which is another after another build', async () => {
    build('cli', file, 'one');
    const first = await app.inject(`/sdk/${file}`);
    expect([first.statusCode, first.headers['cache-control']]).toEqual([302, 'no-cache']);
    const { location = '' } = first.headers;
    expect(location).toMatch(new RegExp(pattern));
    const whole = await app.inject(`/sdk/${location}`);
    expect([whole.statusCode, whole.body, whole.headers['cache-control']]).toEqual([200, 'one', forEver]);

    build('cli', file, 'another');
    const second = await app.inject(`/sdk/${file}`);
    expect(second.headers.location).not.toBe(location);
    expect((await app.inject(`/sdk/${second.headers.location}`)).body).toBe('another');
    expect((await app.inject(`/sdk/${location}`)).statusCode).toBe(404);
  });
});
