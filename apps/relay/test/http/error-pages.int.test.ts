import { errors } from '@tabletop-relay/contract';
import type { ErrorEntry } from '@tabletop-relay/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../account.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let cluster: TestInstances;
let url: string;

beforeAll(async () => {
  cluster = await startInstances();
  [{ url }] = cluster.instances;
});
afterAll(() => cluster.stop());

it('/docs keeps no key or session token that was typed into it', async () => {
  const script = await (await fetch(`${url}/docs/static/swagger-initializer.js`)).text();
  expect(script).toContain('"persistAuthorization":false');
});

it('/docs works over plain http: its policy asks for no https', async () => {
  const { headers } = await fetch(`${url}/docs`);
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(headers.get('content-security-policy')).not.toContain('upgrade-insecure-requests');
});

describe('/errors', () => {
  const catalogue = Object.entries<ErrorEntry>(errors);
  const page = async (path: string) => {
    const response = await fetch(url + path);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  it.each(catalogue)('has a page for %s that says what it is', async (code, entry) => {
    const { status, headers, text } = await page(`/errors/${code}`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(text).toContain(`<h1>${entry.title}</h1>`);
    expect(text).toContain(`<code>${code}</code>, status ${entry.status}`);
  });

  it('lists them all', async () => {
    const { text } = await page('/errors');
    for (const [code] of catalogue) expect(text).toContain(`href="/errors/${code}"`);
  });

  it('is where the type of a problem leads', async () => {
    const { body } = await call(url, 'GET', '/clients');
    const response = await fetch(String(body['type']));
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('key_missing');
  });

  it('has no page for what is no code, __proto__ included', async () => {
    for (const code of ['nothing', '__proto__', 'toString', '%3Cscript%3E'])
      expect((await page(`/errors/${code}`)).status).toBe(404);
  });
});
