import { command, listOperations, operations } from '@tabletop-relay/contract';
import type { OperationGroup } from '@tabletop-relay/contract';
import { createRelay } from '@tabletop-relay/sdk';
import type { FakeModule } from '@tabletop-relay/testing';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import { call, connectModule, createAccount } from './account.ts';
import type { Pairing, TestAccount } from './account.ts';
import { startInstances } from './instances.ts';
import type { TestInstances } from './instances.ts';

/** All that is written to add an operation. */
const weather = {
  name: 'weather',
  title: 'Weather',
  prefix: '/weather',
  definitions: {
    'make-rain': command({
      summary: 'Let it rain on a scene',
      scope: 'canvas:control',
      timeoutMs: 1_000,
      parameters: {
        scene: Type.String({ minLength: 1, wireName: 'sceneId', description: 'Id of the scene.' }),
        strength: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 10, default: 3, description: 'How hard it rains.' }),
        ),
        thunder: Type.Optional(Type.Boolean({ description: 'Add thunder.' })),
      },
      result: Type.Object({ data: Type.Object({ strength: Type.Integer() }) }),
      example: { parameters: { scene: 'chapel', thunder: true }, result: { data: { strength: 3 } } },
    }),
  },
} as const satisfies OperationGroup;

let cluster: TestInstances;
let url: string;
let account: TestAccount;
let pairing: Pairing;
let key: string;
let module: FakeModule;

beforeAll(async () => {
  cluster = await startInstances({ count: 2, operations: [...operations, ...listOperations(weather)] });
  const [{ url: ownerUrl }, second] = cluster.instances;
  url = second?.url ?? '';
  account = await createAccount(ownerUrl);
  key = await account.createKey({ scopes: ['canvas:control'] });
  pairing = await account.pair();
  module = await connectModule(ownerUrl, pairing, ({ strength }) => ({ data: { strength } }));
});
afterAll(async () => {
  await module.close();
  await cluster.stop();
});

const makeRain = (query: string, body?: object, apiKey = key) =>
  call(url, 'POST', `/weather/make-rain?clientId=${pairing.clientId}${query}`, {
    body,
    headers: { 'x-api-key': apiKey },
  });

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
      'hail',
      'scene',
      'strength',
    ]);
  });

  it('the scope check', async () => {
    const { status, body } = await makeRain(
      '',
      { scene: 'chapel' },
      await account.createKey({ scopes: ['world:read'] }),
    );
    expect(status).toBe(403);
    expect(body).toMatchObject({ code: 'scope_missing', scope: 'canvas:control', outcome: 'not_sent' });
  });

  it('its time-out', async () => {
    const silentPairing = await account.pair();
    const silent = await connectModule(cluster.instances[0].url, silentPairing);
    const { status, body } = await call(
      url,
      'POST',
      `/weather/make-rain?clientId=${silentPairing.clientId}`,
      {
        body: { scene: 'chapel' },
        headers: { 'x-api-key': key },
      },
    );
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
    const { body } = await call(url, 'GET', '/openapi.json');
    const { post } = (body['paths'] as Record<string, { post: Record<string, unknown> }>)[
      '/weather/make-rain'
    ] ?? { post: {} };
    expect(post).toMatchObject({
      operationId: 'make-rain',
      tags: ['weather'],
      summary: 'Let it rain on a scene',
      security: [{ apiKey: [] }],
    });
    const parameters = post['parameters'] as { name: string; in: string }[];
    expect(parameters.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['clientId', 'userId', 'scene', 'strength', 'thunder']),
    );
    expect(post['requestBody']).toMatchObject({
      content: {
        'application/json': {
          schema: { required: ['scene'], properties: { strength: { default: 3 } } },
          example: { scene: 'chapel', thunder: true },
        },
      },
    });
  });

  it('a typed method of the SDK', async () => {
    const relay = createRelay({ url, apiKey: key, clientId: pairing.clientId, groups: { weather } });
    const result = await relay.weather.makeRain({ scene: 'chapel', strength: 5 });
    expect(result.data.strength).toBe(5);
    expectTypeOf(relay.weather.makeRain)
      .parameter(0)
      .toEqualTypeOf<{ scene: string; strength?: number; thunder?: boolean }>();
    expectTypeOf(result.data).toEqualTypeOf<{ strength: number }>();
    expectTypeOf(result.type).toEqualTypeOf<'make-rain-result'>();
  });
});
