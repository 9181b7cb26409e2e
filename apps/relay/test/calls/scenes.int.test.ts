import { createWorld, createWorldModule } from '@tabletop-relay/demo-world';
import { memoryStorage } from '@tabletop-relay/module-sdk';
import type { TabletopModule } from '@tabletop-relay/module-sdk';
import { createRelay } from '@tabletop-relay/sdk';
import { call, createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let cluster: TestInstances;
let account: TestAccount;
/** The instance that the world is not connected to. */
let url: string;
let clientId: string;
let key: string;
let module: TabletopModule;

beforeAll(async () => {
  cluster = await startInstances({ count: 2 });
  const [owner, other] = cluster.instances;
  url = other!.url;
  account = await createAccount(owner.url);
  key = await account.createKey({ scopes: ['scene:read', 'scene:write', 'canvas:write'] });
  const pairing = await account.pair({ worldId: 'sunken-chapel', systemId: 'dnd5e' });
  ({ clientId } = pairing);
  const storage = memoryStorage({ clientId, connectionToken: pairing.token, pairedRelayUrl: owner.url });
  module = createWorldModule(createWorld({ seed: 1 }), { storage });
  await module.connect();
});
afterAll(async () => {
  module.close();
  await cluster.stop();
});

const signatures = { png: '89504e47', jpeg: 'ffd8ffe0' };

describe('a picture of a scene', () => {
  it.each([
    ['/scene/image?width=320&height=200', 'png', 'scene-screenshot.png'],
    ['/scene/image?format=jpeg&quality=0.5', 'jpeg', 'scene-screenshot.jpeg'],
    ['/scene/image/raw?sceneId=crypt', 'png', 'crypt.png'],
  ] as const)('is bytes with type, length and name: %s', async (path, format, name) => {
    const headers = { 'x-api-key': key, accept: 'image/*' };
    const response = await fetch(`${url}${path}&clientId=${clientId}`, { headers });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.toString('hex', 0, 4)).toBe(signatures[format]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': `image/${format}`,
      'content-length': String(bytes.length),
      'content-disposition': `inline; filename="${name}"`,
    });
  });

  it('has the size that was asked for', async () => {
    const relay = createRelay({ url, apiKey: key, clientId });
    const { bytes, type, name } = await relay.scenes.sceneScreenshot({ width: 320, height: 200 });
    expect({ type, name }).toEqual({ type: 'image/png', name: 'scene-screenshot.png' });
    const header = new DataView(bytes.buffer, bytes.byteOffset);
    expect([header.getUint32(16), header.getUint32(20)]).toEqual([320, 200]);
  });

  it('is the frame’s JSON to callers that prefer it, `format` being the picture’s own', async () => {
    const path = `/scene/image?format=jpeg&width=64&height=64&clientId=${clientId}`;
    const { body } = await call(url, 'GET', path, {
      headers: { 'x-api-key': key, accept: 'application/json' },
    });
    expect(body).toMatchObject({
      type: 'scene-screenshot-result',
      mimeType: 'image/jpeg',
      imageData: expect.stringMatching(/^data:image\/jpeg;base64,/) as unknown,
      width: 64,
      height: 64,
    });
  });
});

describe('behaviours of regions', () => {
  const region = { name: 'Trap', behaviors: [{ type: 'executeScript', system: { source: '1' } }] };
  const ask = (apiKey: string, method: string, path: string, body: object) =>
    call(url, method, `${path}?clientId=${clientId}`, { headers: { 'x-api-key': apiKey }, body });

  it.each([
    ['POST', '/canvas/regions', { data: region }],
    ['POST', '/canvas/regions', { data: [{}, region] }],
    ['PUT', '/canvas/regions', { documentId: 'x', data: region }],
    ['POST', '/scene', { data: { regions: [region] } }],
    ['PUT', '/scene', { sceneId: 'crypt', data: { regions: [region] } }],
  ])('need the scope for scripts: %s %s', async (method, path, body) => {
    const answer = await ask(key, method, path, body);
    expect(answer).toMatchObject({ status: 403, body: { code: 'scope_missing', scope: 'script:execute' } });
  });

  it('are in the audit log with it', async () => {
    const allowed = await account.createKey({ scopes: ['canvas:write', 'script:execute'] });
    const made = await ask(allowed, 'POST', '/canvas/regions', { data: region });
    expect(made).toMatchObject({ status: 200, body: { data: [{ name: 'Trap', behaviors: [{}] }] } });
    const entries = async () => (await account.as('GET', '/auth/audit-log')).body['items'];
    await expect.poll(entries).toContainEqual(
      expect.objectContaining({
        event: 'operation.used',
        detail: { operation: 'create-canvas-document', scopes: ['script:execute'] },
      }),
    );
  });
});
