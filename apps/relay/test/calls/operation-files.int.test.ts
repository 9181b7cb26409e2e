import { command, listOperations, operations, query } from '@tabletop-relay/contract';
import type { OperationGroup } from '@tabletop-relay/contract';
import { createRelay } from '@tabletop-relay/sdk';
import type { Relay, RelayFile } from '@tabletop-relay/sdk';
import type { FakeModule, WireFrame } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing } from '@tabletop-relay/testing/scenes';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { groupText } from '../../../../docs/generator/pages/operations.ts';
import { methodsOf, rowsOf } from '../../../../packages/sdk/generator/sdk-tables.ts';
import { startInstances } from '../instances.ts';
import { readOpenApi } from '../http/open-api.ts';
import type { TestInstances } from '../instances.ts';

/** Operations that carry a file, out and in. */
const skies = {
  name: 'skies',
  title: 'Skies',
  prefix: '/skies',
  definitions: {
    'sky-picture': query({
      summary: 'Take a picture of the sky',
      scope: 'world:read',
      path: '/sky/:scene/picture',
      parameters: { scene: Type.String({ minLength: 1, description: 'Id of the scene.' }) },
      result: Type.Object({
        data: Type.Object({ image: Type.String(), mimeType: Type.String() }),
        name: Type.String(),
      }),
      resultBytes: { field: 'data.image', contentType: 'data.mimeType', fileName: 'name' },
      example: {
        parameters: { scene: 'chapel' },
        result: { data: { image: 'data:image/png;base64,iVBORw==', mimeType: 'image/png' }, name: 'sky.png' },
      },
    }),
    'paint-sky': command({
      summary: 'Paint the sky of a scene',
      scope: 'canvas:control',
      effect: 'changes',
      method: 'PUT',
      path: '/sky/:scene',
      parameters: {
        scene: Type.String({ minLength: 1, description: 'Id of the scene.' }),
        image: Type.String({ description: 'The picture as a data URL.' }),
        mimeType: Type.Optional(Type.String({ description: 'Content type of the picture.' })),
      },
      bodyBytes: { parameter: 'image', encoding: 'data-url', contentType: 'mimeType', maxBytes: 3_000_000 },
      maxBodyBytes: 4_100_000,
      adaptCommand: (fields, { scopes }) => ({ ...fields, _scopes: scopes }),
      result: Type.Object({ painted: Type.Boolean() }),
      example: {
        parameters: { scene: 'chapel', image: 'data:image/png;base64,iVBORw==' },
        result: { painted: true },
      },
    }),
  },
} as const satisfies OperationGroup;

interface SkiesMethods {
  skies: {
    skyPicture(parameters: { scene: string }): Promise<RelayFile>;
    paintSky(parameters: { scene: string; image: string | Uint8Array | Blob }): Promise<object>;
  };
}

/** What the module answers to each. */
const answers: Record<string, (command: WireFrame) => object> = {
  'sky-picture': () => skies.definitions['sky-picture'].example.result,
  'paint-sky': () => ({ painted: true }),
};

let cluster: TestInstances;
let url: string;
let pairing: Pairing;
let key: string;
let module: FakeModule;

beforeAll(async () => {
  cluster = await startInstances({ count: 2, operations: [...operations, ...listOperations(skies)] });
  const [{ url: ownerUrl }, second] = cluster.instances;
  url = second?.url ?? '';
  const account = await createAccount(ownerUrl);
  key = await account.createKey({ scopes: ['canvas:control', 'world:read'] });
  pairing = await account.pair();
  module = await connectModule(ownerUrl, pairing, (command) => answers[command.type]?.(command));
});
afterAll(async () => {
  await module.close();
  await cluster.stop();
});

describe('a file on the literal gives', () => {
  const picture = Buffer.from('iVBORw==', 'base64');
  const pictureUrl = () => `${url}/sky/chapel/picture?clientId=${pairing.clientId}`;

  it('an answer in bytes, with type, length and name', async () => {
    const response = await fetch(pictureUrl(), { headers: { 'x-api-key': key } });
    expect(Buffer.from(await response.arrayBuffer())).toEqual(picture);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': '4',
      'content-disposition': 'inline; filename="sky.png"',
      'x-content-type-options': 'nosniff',
    });
  });

  it('the result itself to callers that prefer JSON', async () => {
    const response = await fetch(pictureUrl(), { headers: { 'x-api-key': key, accept: 'application/json' } });
    expect(await response.json()).toMatchObject({
      type: 'sky-picture-result',
      ...skies.definitions['sky-picture'].example.result,
    });
  });

  it('the raw body as text in the command’s frame, with its type', async () => {
    const bytes = Buffer.alloc(2_500_000, 7);
    const response = await fetch(`${url}/sky/chapel?clientId=${pairing.clientId}`, {
      method: 'PUT',
      headers: { 'x-api-key': key, 'content-type': 'image/webp' },
      body: bytes,
    });
    expect(await response.json()).toMatchObject({ type: 'paint-sky-result', painted: true });
    const frame = await module.next('paint-sky');
    expect(frame).toMatchObject({
      scene: 'chapel',
      mimeType: 'image/webp',
      _scopes: ['canvas:control', 'world:read'],
    });
    expect(frame['image'] === `data:image/webp;base64,${bytes.toString('base64')}`).toBe(true);
  });

  it.each([
    ['a file above its size', 413, 'payload_too_large', 'image/png', 3_000_001],
    ['a form that is none', 400, 'invalid_request', 'multipart/form-data; boundary=x', 10],
    ['a form that names no boundary', 400, 'invalid_request', 'multipart/form-data', 10],
    ['parts that are no form', 415, 'unsupported_media_type', 'multipart/mixed; boundary=x', 10],
    ['a file without a byte', 400, 'invalid_request', 'image/png', 0],
  ])('a refusal of %s', async (_what, status, code, type, length) => {
    const headers = { 'x-api-key': key, 'content-type': type };
    const body = Buffer.alloc(length);
    const response = await fetch(`${url}/sky/chapel?clientId=${pairing.clientId}`, {
      method: 'PUT',
      headers,
      body,
    });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ code, outcome: 'not_sent' });
  });

  it('the same as base64 in JSON, and raw bodies on no other route', async () => {
    const headers = { 'x-api-key': key };
    const path = `/sky/chapel?clientId=${pairing.clientId}`;
    const image = `data:image/png;base64,${Buffer.alloc(1_500_000).toString('base64')}`;
    expect((await call(url, 'PUT', path, { headers, body: { image } })).body).toMatchObject({
      painted: true,
    });
    const other = `${url}/select?clientId=${pairing.clientId}`;
    const raw = { method: 'POST', headers: { ...headers, 'content-type': 'image/png' }, body: picture };
    expect((await fetch(other, raw)).status).toBe(415);
  });

  it('methods of the SDK that give and take bytes', async () => {
    const relay = createRelay({
      url,
      apiKey: key,
      clientId: pairing.clientId,
      operations: { skies: rowsOf(skies) },
    }) as Relay & SkiesMethods;
    const file = await relay.skies.skyPicture({ scene: 'chapel' });
    expect(file).toEqual({ bytes: new Uint8Array(picture), type: 'image/png', name: 'sky.png' });
    expect(methodsOf(skies)).toContain('options?: CallOptions): Promise<RelayFile>;');
    expect(methodsOf(skies)).toContain(
      "{ image: OperationTypes['paint-sky']['parameters']['image'] | Uint8Array | Blob }",
    );
    for (const image of [
      new Uint8Array(picture),
      new Blob([picture], { type: 'image/gif' }),
      'data:text/plain;base64,QQ==',
    ])
      expect(await relay.skies.paintSky({ scene: 'chapel', image })).toMatchObject({ painted: true });
  });

  it('the entries in the OpenAPI document', async () => {
    const body = await readOpenApi(url);
    const paths = body.paths as unknown as Record<string, Record<string, object>>;
    const binary = { schema: { type: 'string', format: 'binary' } };
    expect(paths['/sky/{scene}/picture']?.['get']).toMatchObject({
      responses: { 200: { content: { '*/*': binary, 'application/json': {} } } },
    });
    expect(paths['/sky/{scene}']?.['put']).toMatchObject({
      requestBody: { content: { 'application/octet-stream': binary, 'application/json': {} } },
    });
  });

  it('its sentences in the reference', () => {
    expect(groupText(skies)).toContain('HTTP answers the bytes of `data.image`');
    expect(groupText(skies)).toContain('`image` may come as the raw body');
  });
});
