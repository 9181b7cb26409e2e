import { operations, placesOf, resultSchema } from '@tabletop-relay/contract';
import type { Operation } from '@tabletop-relay/contract';
import { createWorld, createWorldModule } from '@tabletop-relay/demo-world';
import type { World } from '@tabletop-relay/demo-world';
import { memoryStorage } from '@tabletop-relay/module-sdk';
import type { TabletopModule } from '@tabletop-relay/module-sdk';
import { createRelay } from '@tabletop-relay/sdk';
import Value from 'typebox/value';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call, createAccount } from '../account.ts';
import type { Pairing } from '../account.ts';
import { startInstances } from '../instances.ts';
import type { TestInstance, TestInstances } from '../instances.ts';

let cluster: TestInstances;
let owner: TestInstance;
let other: TestInstance;
let pairing: Pairing;
let key: string;
let module: TabletopModule;
let world: World;

beforeAll(async () => {
  cluster = await startInstances({ count: 2 });
  [owner, other] = cluster.instances as [TestInstance, TestInstance];
  const account = await createAccount(owner.url);
  key = await account.createKey();
  pairing = await account.pair({ worldId: 'sunken-chapel', systemId: 'sys5e' });
  world = createWorld({ seed: 1 });
  module = createWorldModule(
    { ...world, receive: (call) => world.receive(call) },
    {
      storage: memoryStorage({
        clientId: pairing.clientId,
        connectionToken: pairing.token,
        pairedRelayUrl: owner.url,
      }),
    },
  );
  await module.connect();
});
afterAll(async () => {
  module.close();
  await cluster.stop();
});

/** Examples are answered by a world as it is found: what one did is not there for the next. */
beforeEach(() => {
  world = createWorld({ seed: 1 });
});

/** The example as a caller may send it: each parameter in the place preferred, where it may stand there. */
function ask(url: string, operation: Operation, preferred: 'query' | 'body') {
  const query = new URLSearchParams({ clientId: pairing.clientId });
  const body: Record<string, unknown> = {};
  let path: string = operation.path;
  for (const [name, value] of Object.entries<unknown>(operation.example.parameters)) {
    const places = placesOf(operation, name);
    const place = places.includes(preferred) ? preferred : places[0];
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (place === 'path') path = path.replace(`:${name}`, encodeURIComponent(text));
    else if (place === 'query') query.set(name, text);
    else body[name] = value;
  }
  return call(url, operation.method, `${path}?${query.toString()}`, {
    headers: { 'x-api-key': key, accept: 'application/json' },
    ...(Object.keys(body).length > 0 ? { body } : {}),
  });
}

function expectFile(result: object): void {
  expect(result).toMatchObject({
    bytes: expect.any(Uint8Array) as unknown,
    type: expect.stringContaining('/') as unknown,
  });
}

function expectResult(operation: Operation, result: object): void {
  expect(Value.Errors(resultSchema(operation), result)).toEqual([]);
  expect(result).toMatchObject({
    type: `${operation.name}-result`,
    requestId: expect.stringMatching(new RegExp(`^${operation.name}_\\d{13}$`)) as unknown,
  });
}

describe.each(operations)('$method $path', (operation) => {
  it('is answered by the instance that holds the world’s socket', async () => {
    const { status, body } = await ask(owner.url, operation, 'body');
    expect(body).not.toHaveProperty('code');
    expect(status).toBe(200);
    expectResult(operation, body);
  });

  it('is answered through another instance, with its parameters in the query where they may be', async () => {
    const { status, body } = await ask(other.url, operation, 'query');
    expect(body).not.toHaveProperty('code');
    expect(status).toBe(200);
    expectResult(operation, body);
  });

  it('is answered to the SDK', async () => {
    const relay = createRelay({ url: other.url, apiKey: key, clientId: pairing.clientId });
    const groups = relay as unknown as Record<
      string,
      Record<string, (parameters: object) => Promise<object>>
    >;
    const method = groups[operation.group]?.[operation.sdkName];
    const result = (await method?.(operation.example.parameters)) ?? {};
    if (operation.resultBytes) expectFile(result);
    else expectResult(operation, result);
  });
});

it('a user without the right to it is refused in the world’s own words and code, from any instance', async () => {
  for (const { url } of [owner, other]) {
    const { status, body } = await call(url, 'POST', `/sys5e/ability-save?clientId=${pairing.clientId}`, {
      headers: { 'x-api-key': key },
      body: { actorUuid: 'Actor.borin', ability: 'wis', userId: 'Ben' },
    });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      code: 'operation_failed',
      reason: 'permission_denied',
      detail: 'Ben does not own Borin Ironhand',
      error: 'Ben does not own Borin Ironhand',
      retryable: false,
      requestId: expect.stringMatching(/^ability-save_\d{13}$/) as unknown,
    });
    expect(body).not.toHaveProperty('outcome');
  }
});

it('a parameter named `type` does not change which command the world gets', async () => {
  const path = `/structure?clientId=${pairing.clientId}&type=Actor`;
  const { status, body } = await call(owner.url, 'GET', path, { headers: { 'x-api-key': key } });
  expect([status, body['type']]).toEqual([200, 'structure-result']);
  expect(Object.keys((body['data'] as { entities: object }).entities)).toEqual(['actors']);
});
