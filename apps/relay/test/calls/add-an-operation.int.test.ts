import { command, listOperations, onWire, operations as published } from '@tabletop-relay/contract';
import type { OperationGroup } from '@tabletop-relay/contract';
import { createRelay } from '@tabletop-relay/sdk';
import type { Relay } from '@tabletop-relay/sdk';
import type { FakeModule, WireFrame } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { groupText } from '../../../../docs/generator/pages/operations.ts';
import { groupTypes } from '../../../../packages/sdk/generator/operation-types.ts';
import { methodsOf, rowsOf } from '../../../../packages/sdk/generator/sdk-tables.ts';
import { startInstances } from '../instances.ts';
import { readOpenApi } from '../http/open-api.ts';
import type { TestInstances } from '../instances.ts';

/** All that is written to add operations. */
const weather = {
  name: 'weather',
  title: 'Weather',
  prefix: '/weather',
  definitions: {
    'make-rain': command({
      summary: 'Let it rain on a scene',
      scope: 'canvas:control',
      effect: 'changes',
      timeoutMs: 1_000,
      parameters: {
        scene: onWire('sceneId', Type.String({ minLength: 1, description: 'Id of the scene.' })),
        strength: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 10, default: 3, description: 'How hard it rains.' }),
        ),
        thunder: Type.Optional(Type.Boolean({ description: 'Add thunder.' })),
      },
      result: Type.Object({ data: Type.Object({ strength: Type.Integer() }) }),
      example: { parameters: { scene: 'chapel', thunder: true }, result: { data: { strength: 3 } } },
    }),
    'end-storm': command({
      summary: 'End a storm',
      scope: 'canvas:control',
      effect: 'destroys',
      method: 'DELETE',
      path: '/weather/storm/:uuid',
      parameters: {
        uuid: Type.String({ minLength: 1, description: 'UUID of the storm.' }),
        slowly: Type.Optional(Type.Boolean({ description: 'Let it fade.' })),
      },
      result: Type.Object({ ended: Type.String() }),
      example: { parameters: { uuid: 'Scene.chapel.Storm.a' }, result: { ended: 'Scene.chapel.Storm.a' } },
    }),
  },
} as const satisfies OperationGroup;

/** What `pnpm docs:generate` writes into the SDK for such a literal. */
const operations = { weather: rowsOf(weather) };
interface WeatherMethods {
  weather: {
    makeRain(parameters: { scene: string; strength?: number }): Promise<{ data: { strength: number } }>;
    endStorm(parameters: { uuid: string; slowly?: boolean }): Promise<{ ended: string }>;
  };
}

/** What the module answers to each. */
const answers: Record<string, (command: WireFrame) => object> = {
  'make-rain': ({ strength }) => ({ data: { strength } }),
  'end-storm': ({ uuid }) => ({ ended: uuid }),
};

let cluster: TestInstances;
let url: string;
let account: TestAccount;
let pairing: Pairing;
let key: string;
let module: FakeModule;

beforeAll(async () => {
  cluster = await startInstances({ count: 2, operations: [...published, ...listOperations(weather)] });
  const [{ url: ownerUrl }, second] = cluster.instances;
  url = second?.url ?? '';
  account = await createAccount(ownerUrl);
  key = await account.createKey({ scopes: ['canvas:control'] });
  pairing = await account.pair();
  module = await connectModule(ownerUrl, pairing, (command) => answers[command.type]?.(command));
});
afterAll(async () => {
  await module.close();
  await cluster.stop();
});

const makeRain = (search: string, body?: object, apiKey = key) =>
  call(url, 'POST', `/weather/make-rain?clientId=${pairing.clientId}${search}`, {
    body,
    headers: { 'x-api-key': apiKey },
  });

const sdk = () => {
  const relay = createRelay({ url, apiKey: key, clientId: pairing.clientId, operations });
  return (relay as Relay & WeatherMethods).weather;
};

describe('one literal gives', () => {
  it('the route and the command on the wire, with its wire names and defaults', async () => {
    const { status, body } = await makeRain('', { scene: 'chapel' });
    expect(status).toBe(200);
    expect(body).toEqual({
      type: 'make-rain-result',
      requestId: expect.stringMatching(/^make-rain_\d{13}$/) as unknown,
      data: { strength: 3 },
    });
    expect(await module.next('make-rain')).toEqual({
      type: 'make-rain',
      requestId: body['requestId'],
      sceneId: 'chapel',
      strength: 3,
    });
  });

  it('coercion of the query string', async () => {
    const { status } = await makeRain('&sceneId=crypt&strength=7&thunder=true');
    expect(status).toBe(200);
    expect(await module.next('make-rain')).toMatchObject({ sceneId: 'crypt', strength: 7, thunder: true });
  });

  it('validation, which names each field', async () => {
    const { status, body } = await makeRain('', { strength: 11, hail: true });
    expect(status).toBe(400);
    expect(body['code']).toBe('invalid_request');
    expect((body['errors'] as { field: string }[]).map(({ field }) => field).sort()).toEqual([
      'scene',
      'strength',
    ]);
  });

  it('the scope check', async () => {
    const { status, body } = await makeRain(
      '',
      { scene: 'chapel' },
      await account.createKey({ scopes: ['user:read'] }),
    );
    expect(status).toBe(403);
    expect(body).toMatchObject({ code: 'scope_missing', scope: 'canvas:control', outcome: 'not_sent' });
  });

  it('its time-out', async () => {
    const silentPairing = await account.pair();
    const silent = await connectModule(cluster.instances[0].url, silentPairing);
    const path = `/weather/make-rain?clientId=${silentPairing.clientId}`;
    const asked = { body: { scene: 'chapel' }, headers: { 'x-api-key': key } };
    const { status, body } = await call(url, 'POST', path, asked);
    expect(status).toBe(504);
    expect(body).toMatchObject({
      code: 'client_timeout',
      detail: 'The world did not answer within 1 s.',
      outcome: 'unknown',
      requestId: expect.stringMatching(/^make-rain_/) as unknown,
    });
    await silent.close();
  });

  it('its entry in the OpenAPI document', async () => {
    const body = await readOpenApi(url);
    const { post } = (body.paths as unknown as Record<string, { post: Record<string, unknown> }>)[
      '/weather/make-rain'
    ] ?? { post: {} };
    expect(post).toMatchObject({
      operationId: 'make-rain',
      tags: ['weather'],
      summary: 'Let it rain on a scene',
      security: [{ apiKey: [] }],
    });
    const parameters = post['parameters'] as { name: string; in: string }[];
    expect(parameters.map(({ name }) => name)).toEqual(['clientId', 'x-client-id', 'idempotency-key']);
    expect(post['requestBody']).toMatchObject({
      content: {
        'application/json': {
          schema: { required: ['scene'], properties: { userId: {}, strength: { default: 3 }, thunder: {} } },
          example: { scene: 'chapel', thunder: true },
        },
      },
    });
  });

  it('a method of the SDK, by a line of its table, and its type', async () => {
    const result = await sdk().makeRain({ scene: 'chapel', strength: 5 });
    expect(result.data.strength).toBe(5);
    const makeRainMethod = /makeRain\(parameters: .*\): Promise<Answer<'make-rain'>>;/;
    expect(methodsOf(weather)).toMatch(makeRainMethod);
    expect(groupTypes(weather)).toMatch(/wire: \{\s+\/\*\* Id of the scene\. \*\/\s+sceneId: string;/);
  });

  it('its section in the reference', () => {
    const text = groupText(weather);
    expect(text).toContain('`POST /weather/make-rain` · scope `canvas:control` · changes the world');
    expect(text).toContain(
      '| `scene` | query, body | string | Required. Id of the scene. Also accepted as `sceneId`',
    );
  });
});

describe('a method and a path on the literal give', () => {
  const storm = 'Scene.chapel.Storm.a b/c';

  it('the route, with the path decoded and the rest from the query', async () => {
    const path = `/weather/storm/${encodeURIComponent(storm)}?clientId=${pairing.clientId}&slowly=true`;
    const { status, body } = await call(url, 'DELETE', path, { headers: { 'x-api-key': key } });
    expect([status, body]).toEqual([
      200,
      { type: 'end-storm-result', requestId: expect.any(String) as unknown, ended: storm },
    ]);
    expect(await module.next('end-storm')).toMatchObject({ uuid: storm, slowly: true });
  });

  it('405 for another method, and 400 for a part of the path that is given elsewhere too', async () => {
    const headers = { 'x-api-key': key };
    const wrong = await call(url, 'POST', '/weather/storm/a', { headers });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'DELETE']);
    const twice = await call(url, 'DELETE', '/weather/storm/a?uuid=b', { headers });
    expect(twice.body['errors']).toEqual([{ field: 'uuid', place: 'query', message: 'belongs in the path' }]);
  });

  it('a preflight that lets pages of any origin send it', async () => {
    const preflight = await fetch(`${url}/weather/storm/a`, { method: 'OPTIONS' });
    expect(preflight.headers.get('access-control-allow-methods')?.split(', ')).toContain('DELETE');
  });

  it('the entry in the OpenAPI document', async () => {
    const body = await readOpenApi(url);
    const entry = (body.paths as unknown as Record<string, { delete?: object }>)['/weather/storm/{uuid}']
      ?.delete;
    expect(entry).toMatchObject({
      operationId: 'end-storm',
      parameters: expect.arrayContaining([
        expect.objectContaining({ in: 'path', name: 'uuid', required: true }),
        expect.objectContaining({ in: 'query', name: 'slowly' }),
      ]) as unknown,
    });
  });

  it('the SDK’s method, which encodes the path', async () => {
    expect((await sdk().endStorm({ uuid: storm, slowly: true })).ended).toBe(storm);
    await expect(sdk().endStorm({ uuid: '..' })).rejects.toThrow('uuid stands in the path');
  });

  it('the section in the reference', () => {
    expect(groupText(weather)).toContain('`DELETE /weather/storm/:uuid` · scope `canvas:control`');
    expect(groupText(weather)).toContain('| `uuid` | path | string |');
    expect(groupText(weather)).toContain('DELETE /weather/storm/Scene.chapel.Storm.a\n');
  });
});
