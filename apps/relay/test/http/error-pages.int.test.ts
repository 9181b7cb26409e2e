import { errors } from '@tabletop-relay/contract';
import { call } from '@tabletop-relay/testing/scenes';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { request } from 'undici';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

const root = mkdtempSync(path.join(os.tmpdir(), 'relay-pages-'));
let cluster: TestInstances;
let url: string;

/** A build in small: the pages themselves are tested where they are made. */
function write(name: string): void {
  const file = path.join(root, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `the page ${name}`);
  writeFileSync(`${file}.br`, brotliCompressSync(`the page ${name}`));
}

beforeAll(async () => {
  for (const name of ['docs.html', 'guides/index.html', 'guides/index.json', 'guides/streams.html'])
    write(name);
  write('not-found.html');
  for (const code of ['index', ...Object.keys(errors)]) write(`errors/${code}.html`);
  cluster = await startInstances({ dashboardRoot: root });
  [{ url }] = cluster.instances;
});
afterAll(async () => {
  await cluster.stop();
  rmSync(root, { recursive: true });
});

const page = async (address: string) => {
  const response = await fetch(url + address);
  return { status: response.status, headers: response.headers, text: await response.text() };
};

describe('the built pages', () => {
  it.each([
    ['/docs', 'docs.html'],
    ['/docs/skill-check', 'docs.html'],
    ['/guides', 'guides/index.html'],
    ['/guides/streams', 'guides/streams.html'],
    ['/guides/index.json', 'guides/index.json'],
    ['/errors', 'errors/index.html'],
    ['/errors/key_missing', 'errors/key_missing.html'],
  ])(
    '%s is one of them, under a policy that asks for no https: a relay in a home network has none',
    async (address, name) => {
      const { status, headers, text } = await page(address);
      expect([status, text]).toEqual([200, `the page ${name}`]);
      expect(headers.get('cache-control')).toBe('no-cache');
      const policy = headers.get('content-security-policy');
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain('unsafe');
      expect(policy).not.toContain('upgrade-insecure-requests');
    },
  );

  it('come packed to who takes it, and not again to who has them', async () => {
    const packed = await request(`${url}/docs`, { headers: { 'accept-encoding': 'br' } });
    expect(packed.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
    const bytes = Buffer.from(await packed.body.arrayBuffer());
    expect(brotliDecompressSync(bytes).toString()).toBe('the page docs.html');
    const known = { 'accept-encoding': 'br', 'if-none-match': String(packed.headers['etag']) };
    expect((await request(`${url}/docs`, { headers: known })).statusCode).toBe(304);
  });

  it('are where the type of a problem leads', async () => {
    const { body } = await call(url, 'GET', '/clients');
    expect((await page(new URL(String(body['type'])).pathname)).text).toContain('key_missing');
  });

  it('have none for what is no code and no guide, __proto__ included', async () => {
    for (const code of ['nothing', '__proto__', 'toString', 'index', '%3Cscript%3E', '..%2fdocs'])
      expect([code, (await page(`/errors/${code}`)).status]).toEqual([code, 404]);
    for (const name of ['nothing', '..%2fdocs', '%2e%2e%2fdocs', 'streams.html', 'streams%2f'])
      expect([name, (await page(`/guides/${name}`)).status]).toEqual([name, 404]);
  });

  const browsers = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const asPerson = (address: string, method = 'GET', accept = browsers) =>
    request(url + address, { method, headers: { accept } });

  it.each(['/nope', '/errors/nope', '/guides/nope', '/a//b', '/sys5e'])(
    'tell a person at %s, which is nowhere, so in a page, and a program in a problem',
    async (address) => {
      const { statusCode, headers, body } = await asPerson(address);
      expect([statusCode, await body.text()]).toEqual([404, 'the page not-found.html']);
      expect(headers['content-security-policy']).toContain("script-src 'self'");
      expect(headers['cache-control']).toBe('no-store');
      for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.9']) {
        const told = await asPerson(address, 'GET', accept);
        expect(told.headers['content-type']).toContain('application/problem+json');
        expect(told.headers['vary']).toContain('accept');
        await told.body.dump();
      }
      const posted = await asPerson(address, 'POST');
      expect(posted.headers['content-type']).toContain('application/problem+json');
      await posted.body.dump();
    },
  );

  it('lead a person on from a slash too many, and to no other host', async () => {
    for (const [address, to] of [
      ['/guides/', '/guides'],
      ['/errors/key_missing/', '/errors/key_missing'],
    ] as const) {
      const { statusCode, headers, body } = await asPerson(address);
      expect([statusCode, headers['location']]).toEqual([308, to]);
      await body.dump();
    }
    for (const address of ['//evil.example/', '/%2fevil.example/', '/\\evil.example/', '///']) {
      const { headers, body } = await asPerson(address);
      expect([address, headers['location']]).toEqual([address, undefined]);
      await body.dump();
    }
  });
});
