import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let cluster: TestInstances;
let url: string;

beforeAll(async () => {
  cluster = await startInstances();
  [{ url }] = cluster.instances;
});
afterAll(() => cluster.stop());

describe.each(['/openapi.json', '/asyncapi.json'])('%s', (path) => {
  const get = (headers: Record<string, string> = {}) => request(url + path, { headers });
  const plain = async () => {
    const answer = await get();
    return { headers: answer.headers, bytes: Buffer.from(await answer.body.arrayBuffer()) };
  };

  it.each([
    ['br', 'gzip, deflate, br', brotliDecompressSync],
    ['gzip', 'gzip;q=0.8, br;q=0', gunzipSync],
  ])('is sent as %s to who takes it, and then is the same document', async (encoding, accepted, decode) => {
    const { headers, bytes } = await plain();
    expect(headers['content-encoding']).toBeUndefined();
    const answer = await get({ 'accept-encoding': accepted });
    expect(answer.headers).toMatchObject({
      'content-encoding': encoding,
      vary: 'accept-encoding',
      etag: headers['etag'],
    });
    const encoded = Buffer.from(await answer.body.arrayBuffer());
    expect(encoded.length).toBeLessThan(bytes.length / 4);
    expect(decode(encoded).equals(bytes)).toBe(true);
  });

  it('is not sent again to who has it', async () => {
    const { headers } = await plain();
    const etag = String(headers['etag']);
    for (const known of [etag, `"other", ${etag.replace('W/', '')}`, '*']) {
      const answer = await get({ 'if-none-match': known });
      expect([answer.statusCode, await answer.body.text()]).toEqual([304, '']);
    }
    expect((await get({ 'if-none-match': '"other"' })).statusCode).toBe(200);
  });
});
