import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { operations, pathParameters, query, readParameters } from '@tabletop-relay/contract';
import type { Operation, OperationGroup } from '@tabletop-relay/contract';
import { Type } from 'typebox';
import { afterEach, describe, expect, expectTypeOf, test, vi } from 'vitest';
import { createRelay } from './create-relay.ts';
import { RelayError } from './relay-error.ts';

interface Seen {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingMessage['headers'];
  body: unknown;
}

interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** Hangs up instead of answering. */
  hangUp?: boolean;
  /** Never answers. */
  silent?: boolean;
}

let server: Server;
let seen: Seen[];

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Listens on loopback and gives these answers in turn, the last one for ever. */
async function listen(...answers: Answer[]): Promise<string> {
  seen = [];
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url!, 'http://relay');
      seen.push({
        method: request.method!,
        path: pathname,
        query: Object.fromEntries(searchParams),
        headers: request.headers,
        body: text === '' ? undefined : (JSON.parse(text) as unknown),
      });
      const {
        status = 200,
        headers,
        body = {},
        hangUp,
        silent,
      } = answers[seen.length - 1] ?? answers.at(-1) ?? {};
      if (silent) return;
      if (hangUp) request.socket.destroy();
      else response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function relayWith(...answers: Answer[]) {
  return createRelay({ url: await listen(...answers), apiKey: 'trk_key', clientId: 'demo' });
}

const problem = (code: string, status: number, fields: object = {}): Answer => ({
  status,
  body: {
    type: 'about:blank',
    title: code,
    status,
    code,
    detail: 'Why.',
    retryable: false,
    traceId: 't1',
    ...fields,
  },
});

const check = { actorUuid: 'Actor.mira', skill: 'prc' } as const;

const failureOf = async (call: Promise<unknown>): Promise<RelayError> => {
  const error: unknown = await call.then(
    () => expect.fail('it did not fail'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(RelayError);
  return error as RelayError;
};

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

  test('of an operation that was added as one literal has its method', async () => {
    const tables = {
      name: 'tables',
      title: 'Roll tables',
      prefix: '/tables',
      definitions: {
        'draw-from': query({
          summary: 'Draw from a table',
          scope: 'roll:read',
          parameters: { table: Type.String(), times: Type.Optional(Type.Integer()) },
          result: Type.Object({ drawn: Type.Array(Type.String()) }),
          example: { parameters: { table: 'Loot' }, result: { drawn: ['Gem'] } },
        }),
      },
    } as const satisfies OperationGroup;
    const relay = createRelay({ url: await listen(), apiKey: 'k', groups: { tables } });

    await relay.tables.drawFrom({ table: 'Loot', times: 2 });

    expect(seen[0]).toMatchObject({
      method: 'GET',
      path: '/tables/draw-from',
      query: { table: 'Loot', times: '2' },
    });
    expectTypeOf(relay.tables.drawFrom).parameter(0).toEqualTypeOf<{ table: string; times?: number }>();
    expectTypeOf(relay.tables.drawFrom).returns.resolves.toExtend<{
      type: 'draw-from-result';
      drawn: string[];
    }>();
    expectTypeOf(relay.sys5e.skillCheck).toBeFunction();
  });
});

describe('a failure', () => {
  test('carries what the relay says of it', async () => {
    const fields = { retryable: true, outcome: 'not_sent', requestId: 'skill-check_1', candidates: ['a'] };
    const relay = await relayWith({
      ...problem('unavailable', 503, fields),
      headers: { 'retry-after': '2' },
    });
    const error = await failureOf(relay.sys5e.skillCheck(check));
    expect(error).toMatchObject({
      code: 'unavailable',
      status: 503,
      retryable: true,
      outcome: 'not_sent',
      detail: 'Why.',
      requestId: 'skill-check_1',
      traceId: 't1',
      retryAfterMs: 2000,
    });
    expect(error.problem?.candidates).toEqual(['a']);
  });

  test.each([
    [{ status: 502, body: '<h1>Bad gateway</h1>' }, 502],
    [{ status: 200, body: 'OK' }, 200],
    [{ status: 500, body: { message: 'no' } }, 500],
  ])('of something between us and the relay is told as such: %j', async (answer, status) => {
    const relay = await relayWith(answer);
    expect(await failureOf(relay.sys5e.skillCheck(check))).toMatchObject({
      code: 'bad_answer',
      status,
      outcome: 'unknown',
      retryable: false,
    });
  });

  test('in mid-call leaves a command’s outcome unknown', async () => {
    const relay = await relayWith({ hangUp: true });
    const failure = { code: 'connection_failed', status: 0, outcome: 'unknown' };
    expect(await failureOf(relay.sys5e.skillCheck(check))).toMatchObject({ ...failure, retryable: false });
    expect(await failureOf(relay.utility.players())).toMatchObject({ ...failure, retryable: true });
  });

  test('to connect may be repeated: nothing was sent', async () => {
    const relay = await relayWith();
    await new Promise((resolve) => server.close(resolve));
    expect(await failureOf(relay.sys5e.skillCheck(check))).toMatchObject({
      code: 'connection_failed',
      outcome: 'not_sent',
      retryable: true,
    });
  });

  test('to answer in time ends the call', async () => {
    const relay = await relayWith({ silent: true });
    const call = relay.sys5e.skillCheck(check, { timeoutMs: 50 });
    expect(await failureOf(call)).toMatchObject({ code: 'timeout', outcome: 'unknown', retryable: false });
  });

  test('by the caller’s own signal is the signal’s reason', async () => {
    const relay = await relayWith({ silent: true });
    const controller = new AbortController();
    const call = relay.sys5e.skillCheck(check, { signal: controller.signal });
    await vi.waitFor(() => expect(seen).toHaveLength(1), 10_000);
    controller.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
  });

  test('is what a redirect is: the key goes nowhere else', async () => {
    const relay = await relayWith({ status: 307, headers: { location: '/elsewhere' } }, {});
    expect(await failureOf(relay.sys5e.skillCheck(check))).toMatchObject({ code: 'connection_failed' });
    expect(seen.map(({ path }) => path)).toEqual(['/sys5e/skill-check']);
  });
});

describe('retries', () => {
  const busy = { ...problem('overloaded', 503, { retryable: true, outcome: 'not_sent' }) };
  const soon = { ...busy, headers: { 'retry-after': '0' } };

  async function retrying(retries: number, ...answers: Answer[]) {
    return createRelay({ url: await listen(...answers), apiKey: 'k', retries });
  }

  test('are off unless asked for', async () => {
    const relay = await relayWith(soon, {});
    await failureOf(relay.sys5e.skillCheck(check));
    expect(seen).toHaveLength(1);
  });

  test('repeat what was not sent, as often as asked and no more', async () => {
    const relay = await retrying(2, soon, soon, { body: { type: 'skill-check-result' } });
    expect(await relay.sys5e.skillCheck(check)).toMatchObject({ type: 'skill-check-result' });
    expect(seen).toHaveLength(3);

    const tired = await retrying(2, soon);
    await failureOf(tired.sys5e.skillCheck(check));
    expect(seen).toHaveLength(3);
  });

  test('never repeat a command that may have been carried out', async () => {
    const relay = await retrying(5, problem('client_lost', 502, { outcome: 'unknown', retryable: false }));
    await failureOf(relay.sys5e.skillCheck(check));
    expect(seen).toHaveLength(1);
  });

  test('wait as long as they are told', async () => {
    const relay = await retrying(1, { ...busy, headers: { 'retry-after': '1' } }, {});
    const started = performance.now();
    await relay.sys5e.skillCheck(check);
    expect(performance.now() - started).toBeGreaterThanOrEqual(990);
  });

  test('are not kept waiting for minutes', async () => {
    const relay = await retrying(1, { ...busy, headers: { 'retry-after': '86400' } });
    expect(await failureOf(relay.sys5e.skillCheck(check))).toMatchObject({ retryAfterMs: 86_400_000 });
    expect(seen).toHaveLength(1);
  });

  test('end at once when the caller aborts', async () => {
    const relay = await retrying(1, { ...busy, headers: { 'retry-after': '20' } });
    const controller = new AbortController();
    const call = relay.sys5e.skillCheck(check, { signal: controller.signal });
    await vi.waitFor(() => expect(seen).toHaveLength(1), 10_000);
    controller.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
  });
});

test('parameters and answers are typed by the contract', async () => {
  const relay = await relayWith();
  const { skillCheck, getConcentration, useItem } = relay.sys5e;
  expectTypeOf(skillCheck).parameter(0).toHaveProperty('skill').extract<'prc'>().toEqualTypeOf<'prc'>();
  expectTypeOf(skillCheck)
    .returns.resolves.toHaveProperty('data')
    .toHaveProperty('total')
    .toEqualTypeOf<number>();
  expectTypeOf(skillCheck).returns.resolves.toHaveProperty('type').toEqualTypeOf<'skill-check-result'>();
  expectTypeOf(getConcentration)
    .parameter(0)
    .toEqualTypeOf<{ actorUuid?: string; actorName?: string; selected?: boolean } | undefined>();
  expectTypeOf(useItem)
    .returns.resolves.toHaveProperty('data')
    .toHaveProperty('result')
    .toEqualTypeOf<string | null>();
  expectTypeOf(relay.clients).returns.resolves.toHaveProperty('total').toEqualTypeOf<number>();
  // @ts-expect-error a skill is one of a list
  await relay.sys5e.skillCheck({ actorUuid: 'Actor.mira', skill: 'sleeping' });
  // @ts-expect-error an actor is needed
  await relay.sys5e.skillCheck({ skill: 'prc' });
});
