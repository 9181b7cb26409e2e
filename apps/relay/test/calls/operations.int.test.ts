import { operationGroups, operations, placesOf, resultSchema } from '@tabletop-relay/contract';
import type { Operation } from '@tabletop-relay/contract';
import { createWorld, createWorldModule } from '@tabletop-relay/demo-world';
import { memoryStorage } from '@tabletop-relay/module-sdk';
import type { TabletopModule } from '@tabletop-relay/module-sdk';
import { createRelay } from '@tabletop-relay/sdk';
import { call, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing } from '@tabletop-relay/testing/scenes';
import Value from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTwo } from '../drivers.ts';
import type { TwoInstances } from '../drivers.ts';
import type { TestInstance } from '../instances.ts';

let two: TwoInstances;
let owner: TestInstance;
let other: TestInstance;
let pairing: Pairing;
let key: string;
let module: TabletopModule;

/** Examples are answered by a world as it is at its start, so each call has one of its own. */
const freshWorld = () => createWorld({ seed: 1 });

beforeAll(async () => {
  // As slow as a shared machine may be when all are asked at once.
  two = await startTwo('redis', { config: { callTimeoutMs: 60_000 } });
  ({ first: owner, second: other } = two);
  const account = await createAccount(owner.url);
  key = await account.createKey();
  pairing = await account.pair({ worldId: 'sunken-chapel', systemId: 'dnd5e' });
  module = createWorldModule(
    { ...freshWorld(), receive: (asked) => freshWorld().receive(asked) },
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
  await two.stop();
});

/** The example as a caller may send it: each parameter in the place preferred, where it may stand there. */
function exampleRequest(operation: Operation, preferred: 'query' | 'body') {
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
  return { path: `${path}?${query.toString()}`, ...(Object.keys(body).length > 0 ? { body } : {}) };
}

async function ask(url: string, operation: Operation, preferred: 'query' | 'body'): Promise<object> {
  const { path, ...body } = exampleRequest(operation, preferred);
  const headers = { 'x-api-key': key, accept: 'application/json' };
  return (await call(url, operation.method, path, { headers, ...body })).body;
}

async function askBySdk(operation: Operation): Promise<object> {
  const relay = createRelay({ url: other.url, apiKey: key, clientId: pairing.clientId });
  type Method = (parameters: object) => Promise<object>;
  const method = (relay as unknown as Record<string, Record<string, Method>>)[operation.group]?.[
    operation.sdkName
  ];
  return (await method?.(operation.example.parameters)) ?? {};
}

/** What is wrong with an answer: nothing, or sentences that name the operation. */
function faultsOf({ name, ...operation }: Operation, result: object): string[] {
  const faults = Value.Errors(resultSchema({ name, ...operation }), result).map(({ message }) => message);
  const { requestId } = result as { requestId?: unknown };
  if (!new RegExp(`^${name}_\\d{13}$`).test(String(requestId))) faults.push('has no requestId of its own');
  return faults.map((fault) => `${name}: ${fault} in ${JSON.stringify(result).slice(0, 500)}`);
}

function faultsOfFile({ name }: Operation, file: object): string[] {
  const { bytes, type } = file as { bytes?: unknown; type?: string };
  return bytes instanceof Uint8Array && bytes.length > 0 && type?.includes('/')
    ? []
    : [`${name}: is no file`];
}

describe.each(Object.keys(operationGroups))('the operations of %s, all at once, are answered', (group) => {
  const ofGroup = operations.filter((operation) => operation.group === group);

  it.each([
    ['at the instance that holds its socket', (operation: Operation) => ask(owner.url, operation, 'body')],
    [
      'through another instance, with the parameters in the query where they may be',
      (operation: Operation) => ask(other.url, operation, 'query'),
    ],
  ])('%s', async (_way, askOne) => {
    const faults = ofGroup.map(async (operation) => faultsOf(operation, await askOne(operation)));
    expect((await Promise.all(faults)).flat()).toEqual([]);
  });

  it('to the SDK, through another instance', async () => {
    const faults = ofGroup.map(async (operation) => {
      const result = await askBySdk(operation);
      return operation.resultBytes ? faultsOfFile(operation, result) : faultsOf(operation, result);
    });
    expect((await Promise.all(faults)).flat()).toEqual([]);
  });
});

const carriers = operations.filter(({ resultBytes }) => resultBytes);

it.each(carriers)(
  '$method $path gives, through another instance, the bytes of its text',
  async (operation) => {
    const { path } = exampleRequest(operation, 'query');
    const response = await fetch(other.url + path, {
      headers: { 'x-api-key': key, accept: 'image/*, */*' },
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const answer: unknown = await ask(other.url, operation, 'query');
    const field = operation.resultBytes?.field.split('.') ?? [];
    const text = field.reduce((inner, name) => (inner as Record<string, unknown>)[name], answer);
    expect(String(text).split(';base64,')[1]).toBe(bytes.toString('base64'));
    expect(bytes.length).toBeGreaterThan(0);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': expect.stringContaining('/') as unknown,
      'content-length': String(bytes.length),
      'content-disposition': expect.stringContaining('filename=') as unknown,
    });
  },
);

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
