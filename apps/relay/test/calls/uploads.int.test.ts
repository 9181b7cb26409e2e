import { createWorld, createWorldModule } from '@tabletop-relay/demo-world';
import { memoryStorage } from '@tabletop-relay/module-sdk';
import type { TabletopModule } from '@tabletop-relay/module-sdk';
import { createRelay } from '@tabletop-relay/sdk';
import { createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTwo } from '../drivers.ts';
import type { TwoInstances } from '../drivers.ts';

let two: TwoInstances;
let url: string;
let account: TestAccount;
let clientId: string;
let key: string;
let module: TabletopModule;

beforeAll(async () => {
  two = await startTwo('redis');
  const ownerUrl = two.first.url;
  ({ url } = two.second);
  account = await createAccount(ownerUrl);
  const pairing = await account.pair({ worldId: 'sunken-chapel', systemId: 'dnd5e' });
  ({ clientId } = pairing);
  key = await account.createKey({ scopes: ['file:read', 'file:write'] });
  const storage = memoryStorage({ clientId, connectionToken: pairing.token, pairedRelayUrl: ownerUrl });
  module = createWorldModule(createWorld({ seed: 1 }), { storage });
  await module.connect();
});
afterAll(async () => {
  module.close();
  await two.stop();
});

const upload = (query: Record<string, string>, init: RequestInit) =>
  fetch(`${url}/upload?${new URLSearchParams({ clientId, ...query }).toString()}`, {
    method: 'POST',
    ...init,
    headers: { 'x-api-key': key, ...(init.headers as Record<string, string>) },
  });

const download = (path: string) =>
  fetch(`${url}/download?${new URLSearchParams({ clientId, path }).toString()}`, {
    headers: { 'x-api-key': key },
  });

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

/** Bytes that no compression and no luck makes right. */
const sample = (length: number) =>
  Buffer.from(Uint8Array.from({ length }, (_, index) => (index * 31 + (index >> 8)) & 255));

describe('a file of 10 MB', () => {
  const file = sample(10_000_000);

  // How much memory that takes: large-files.int.test.ts.
  it('goes to the world of another instance and comes back whole', async () => {
    const sent = await upload(
      { path: 'maps', filename: 'large.bin' },
      { body: file, headers: { 'content-type': 'application/octet-stream' } },
    );
    expect(await sent.json()).toMatchObject({ success: true, path: 'maps/large.bin' });
    const got = await download('maps/large.bin');
    expect(got.headers.get('content-length')).toBe('10000000');
    expect(got.headers.get('content-disposition')).toBe('attachment; filename="large.bin"');
    expect((await bytesOf(got)).equals(file)).toBe(true);
  });

  it('is refused above 11 MiB, before anything is sent', async () => {
    const headers = { 'content-type': 'application/octet-stream' };
    const response = await upload(
      { path: 'maps', filename: 'huge.bin' },
      { body: Buffer.alloc(11_534_337), headers },
    );
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ code: 'payload_too_large', outcome: 'not_sent' });
  });
});

describe('a form', () => {
  const form = (fields: Record<string, string>, ...files: [string, Blob, string?][]) => {
    const data = new FormData();
    for (const [name, value] of Object.entries(fields)) data.append(name, value);
    for (const [name, blob, fileName] of files) data.append(name, blob, fileName);
    return data;
  };
  const note = new Blob(['It rings.'], { type: 'text/plain' });

  it('carries a file with its name and type, and its other fields are parameters', async () => {
    const sent = await upload(
      {},
      { body: form({ path: 'forms', overwrite: 'true' }, ['file', note, 'note.txt']) },
    );
    expect(await sent.json()).toMatchObject({ success: true, path: 'forms/note.txt' });
    const relay = createRelay({ url, apiKey: key, clientId });
    const { bytes, name } = await relay.files.downloadFile({ path: 'forms/note.txt' });
    expect(Buffer.from(bytes).toString()).toBe('It rings.');
    expect(name).toBe('note.txt');
  });

  it('may name its world, and what the query says counts before it', async () => {
    const body = form({ clientId, path: 'other', filename: 'b.txt' }, ['file', note, 'a.txt']);
    const sent = await fetch(`${url}/upload?path=forms`, {
      method: 'POST',
      body,
      headers: { 'x-api-key': key },
    });
    expect(await sent.json()).toMatchObject({ path: 'forms/b.txt' });
  });

  it.each([
    ['without a file', () => form({ path: 'forms', filename: 'a' }), 400, /no file/],
    ['with two files', () => form({ path: 'forms' }, ['a', note, 'a'], ['b', note, 'b']), 400, /more than one file/],
    ['with too many fields', () => form(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`f${i}`, 'x'])), ['a', note, 'a']), 400, /too many/],
    ['with a long field', () => form({ path: 'x'.repeat(5_000) }, ['a', note, 'a']), 400, /too long/],
    ['with a misspelt field', () => form({ path: 'forms', over_write: 'false' }, ['a', note, 'a']), 400, /did you mean `overwrite`/],
    ['with a field of the prototype', () => form({ path: 'forms', ['__proto__']: '1' }, ['a', note, 'a']), 400, /__proto__/],
    ['with a file above its size', () => form({ path: 'forms' }, ['a', new Blob([Buffer.alloc(11_534_337)]), 'a']), 413, /larger than/],
  ])('%s is refused', async (_what, body, status, detail) => {
    const response = await upload({}, { body: body() });
    const problem = (await response.json()) as { detail: string; outcome: string };
    expect({ status: response.status, outcome: problem.outcome }).toEqual({ status, outcome: 'not_sent' });
    expect(problem.detail).toMatch(detail);
  }); // prettier-ignore
});

it('an address of the web is no path, and the world hears nothing of it', async () => {
  const response = await download('https://evil.example/x.png');
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: 'invalid_request', outcome: 'not_sent' });
});

it('each upload is in the audit log, and no download', async () => {
  const uses = async () => {
    const { body } = await account.as('GET', '/auth/audit-log');
    const entries = body['items'] as { event: string; detail: { operation: string; scopes: string[] } }[];
    return entries.filter(({ event }) => event === 'operation.used').map(({ detail }) => detail);
  };
  await expect.poll(async () => (await uses()).length).toBeGreaterThanOrEqual(3);
  for (const use of await uses()) expect(use).toEqual({ operation: 'upload-file', scopes: ['file:write'] });
});
