import { operations, pathParameters, readParameters } from '@tabletop-relay/contract';
import type { Operation } from '@tabletop-relay/contract';
import { afterEach, describe, expect, expectTypeOf, onTestFinished, test, vi } from 'vitest';
import { createAccountClient } from './account-client.ts';
import { createRelay } from './create-relay.ts';
import type { Relay } from './relay.ts';
import { listen, seen, stopListening } from '../test/answers.ts';
import type { Answer } from '../test/answers.ts';

afterEach(stopListening);

async function relayWith(...answers: Answer[]) {
  return createRelay({ url: await listen(...answers), apiKey: 'trk_key', clientId: 'demo' });
}

const check = { actorUuid: 'Actor.mira', skill: 'prc' } as const;

/** The values of an operation's parameters in a path. Fails where the path is another operation's. */
function pathValues(operation: Operation, path: string): Record<string, string> {
  const pattern = new RegExp(`^${operation.path.replaceAll(/:\w+/g, '([^/]+)')}$`);
  expect(path).toMatch(pattern);
  const [, ...values] = pattern.exec(path) ?? [];
  return Object.fromEntries(
    pathParameters(operation).map((name, index) => [name, decodeURIComponent(values[index] ?? '')]),
  );
}

describe.each(operations)('$name', (operation) => {
  test('is a method that sends what the relay reads as the same parameters', async () => {
    const answer = { type: `${operation.name}-result`, requestId: 'r', ...operation.example.result };
    const relay = await relayWith(
      operation.resultBytes
        ? { body: 'bytes', headers: { 'content-disposition': 'attachment' } }
        : { body: answer },
    );
    const methods = relay as unknown as Record<
      string,
      Record<string, (parameters: object) => Promise<unknown>>
    >;

    const result = await methods[operation.group]![operation.sdkName]!(operation.example.parameters);

    const file = {
      bytes: new TextEncoder().encode('bytes'),
      type: 'application/octet-stream',
      name: undefined,
    };
    expect(result).toEqual(operation.resultBytes ? file : answer);
    expect(seen).toHaveLength(1);
    const { method, path, query, body, headers } = seen[0]!;
    expect([method, headers['x-api-key'], query.clientId]).toEqual([operation.method, 'trk_key', 'demo']);
    expect(readParameters(operation, { path: pathValues(operation, path), query, body })).toMatchObject({
      ok: true,
      parameters: operation.example.parameters,
    });
  });
});

describe('a call', () => {
  test('may name another world and a user', async () => {
    const relay = await relayWith();
    await relay.sys5e.skillCheck(check, { clientId: 'other', userId: 'Ada' });
    await relay.utility.players({}, { userId: 'Ada' });
    expect(seen[0]).toMatchObject({ query: { clientId: 'other' }, body: { ...check, userId: 'Ada' } });
    expect(seen[1]).toMatchObject({ query: { clientId: 'demo', userId: 'Ada' }, body: undefined });
  });

  test('has the rights of a user who stands among the parameters, and is refused where another is named too', async () => {
    const relay = await relayWith();
    const asAda = { ...check, userId: 'Ada' };
    await relay.sys5e.skillCheck(asAda);
    await relay.sys5e.skillCheck(asAda, { userId: 'Ada' });
    expect(seen.map(({ body }) => body)).toEqual([asAda, asAda]);
    await expect(relay.sys5e.skillCheck(asAda, { userId: 'Bo' })).rejects.toThrow(/userId .* differ/);
    expect(seen).toHaveLength(2);
  });

  test('without parameters needs none', async () => {
    const relay = await relayWith();
    await relay.encounters.nextTurn();
    await relay.encounters.encounters();
    expect(seen.map(({ method, body }) => [method, body])).toEqual([
      ['POST', {}],
      ['GET', undefined],
    ]);
  });

  test('lists the worlds', async () => {
    const relay = await relayWith({ body: { clients: [], total: 0 } });
    expect(await relay.clients()).toEqual({ clients: [], total: 0 });
    expect(seen[0]).toMatchObject({ method: 'GET', path: '/clients', query: {} });
  });

  test('that lists the worlds is repeated as often as the program says', async () => {
    const relay = createRelay({ url: await listen({ hangUp: true }), apiKey: 'k', retries: 1 });
    await expect(relay.clients()).rejects.toMatchObject({ code: 'connection_failed', retryable: true });
    expect(seen).toHaveLength(2);
  });

  test('waits for longer than the relay itself, whose answer says what became of it', async () => {
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort());
    onTestFinished(() => void vi.restoreAllMocks());
    const relay = await relayWith();
    await expect(relay.sys5e.skillCheck(check)).rejects.toThrow('No answer within 15000 ms.');
    await expect(relay.sys5e.longRest({ actorUuid: 'a' })).rejects.toThrow('No answer within 25000 ms.');
  });

  test('goes to a relay that stands under a path', async () => {
    const url = `${await listen()}/relay-1/`;
    await createRelay({ url, apiKey: 'trk_key' }).utility.worldInfo();
    expect(seen[0]?.path).toBe('/relay-1/world-info');
  });

  test('uses the fetch that it is given', async () => {
    await listen();
    const fetch = vi.fn<typeof globalThis.fetch>(() => Promise.resolve(Response.json({ total: 0 })));
    await createRelay({ url: 'https://relay.example', apiKey: 'k', fetch }).clients();
    expect(fetch.mock.calls[0]?.[0]).toBe('https://relay.example/clients');
    expect(seen).toEqual([]);
  });

  test('of an operation that only this relay has is made by its line of the table', async () => {
    const operations = { tables: { drawFrom: { call: 'GET /tables/:table/draw' } } } as const;
    const relay = createRelay({
      url: await listen(),
      apiKey: 'k',
      operations,
    }) as Relay & { tables: { drawFrom(parameters: object): Promise<object> } };

    await relay.tables.drawFrom({ table: 'Loot', times: 2 });

    expect(seen[0]).toMatchObject({ method: 'GET', path: '/tables/Loot/draw', query: { times: '2' } });
    expectTypeOf(relay.sys5e.skillCheck).toBeFunction();
  });
});

test.each([
  '',
  'relay.example',
  'relay.example:3010',
  '/relay',
  'ftp://relay.example',
  'https://',
  'wss://relay.example/relay',
  'https://relay.example/?key=x',
  'https://a:b@relay.example',
])('%j is refused as the address of a relay where it is given', (url) => {
  expect(() => createRelay({ url, apiKey: 'k' })).toThrow(/is no address of a relay.* https:/);
  // The account API's client needs none on a page of the relay.
  expect(() => createAccountClient({ url: url || '?' })).toThrow(TypeError);
});

test('on a page of the relay its address may be a path, and none', () => {
  vi.stubGlobal('location', { origin: 'https://relay.example' });
  onTestFinished(() => void vi.unstubAllGlobals());
  for (const url of ['', '/', '/relay-1']) expect(() => createRelay({ url, apiKey: 'k' })).not.toThrow();
});

test('parameters and answers are typed by the contract', async () => {
  const relay = await relayWith();
  const { skillCheck, getConcentration, useItem } = relay.sys5e;
  expectTypeOf(skillCheck).parameter(0).toHaveProperty('skill').extract<'prc'>().toEqualTypeOf<'prc'>();
  expectTypeOf(skillCheck)
    .returns.resolves.toHaveProperty('data')
    .toHaveProperty('total')
    .toEqualTypeOf<number | undefined>();
  expectTypeOf(skillCheck).returns.resolves.toHaveProperty('type').toEqualTypeOf<'skill-check-result'>();
  expectTypeOf(getConcentration)
    .parameter(0)
    .toEqualTypeOf<{ actorUuid?: string; actorName?: string; selected?: boolean } | undefined>();
  expectTypeOf(useItem)
    .returns.resolves.toHaveProperty('data')
    .toHaveProperty('result')
    .toEqualTypeOf<string | null | undefined>();
  expectTypeOf(relay.clients).returns.resolves.toHaveProperty('total').toEqualTypeOf<number>();
  // @ts-expect-error a skill is one of a list
  await relay.sys5e.skillCheck({ actorUuid: 'Actor.mira', skill: 'sleeping' });
  // @ts-expect-error an actor is needed
  await relay.sys5e.skillCheck({ skill: 'prc' });
});
