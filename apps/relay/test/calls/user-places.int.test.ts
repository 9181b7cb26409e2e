import { operations, placesOf } from '@tabletop-relay/contract';
import type { Operation } from '@tabletop-relay/contract';
import type { FakeModule } from '@tabletop-relay/testing';
import { connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { send } from '../problem.ts';
import { headOf, openRaw } from '../raw-connection.ts';

let cluster: TestInstances;
let url: string;
let key: string;
let pairing: Pairing;
let module: FakeModule;
/** The users that commands came with, by the order in which they came. */
const users: unknown[] = [];

beforeAll(async () => {
  cluster = await startInstances({ config: { maxBodyBytes: 20_000 } });
  [{ url }] = cluster.instances;
  const account = await createAccount(url);
  key = await account.createKey();
  pairing = await account.pair();
  module = await connectModule(url, pairing, ({ userId }) => {
    users.push(userId);
    return { error: 'This world does nothing.' };
  });
});
afterAll(async () => {
  await module.close();
  await cluster.stop();
});

interface Asked {
  query?: Record<string, string>;
  body?: object;
  headers?: Record<string, string>;
}

/** The operation's example with parameters in the query where they may be, and with what is given. */
async function ask(operation: Operation, { query = {}, body, headers = {} }: Asked) {
  const search = new URLSearchParams({ clientId: pairing.clientId });
  const inBody: Record<string, unknown> = {};
  let { path }: { path: string } = operation;
  for (const [name, value] of Object.entries<unknown>(operation.example.parameters)) {
    const [place] = placesOf(operation, name);
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (place === 'path') path = path.replace(`:${name}`, encodeURIComponent(text));
    else if (place === 'query') search.set(name, text);
    else inBody[name] = value;
  }
  for (const [name, value] of Object.entries(query)) search.set(name, value);
  const whole = { ...inBody, ...body };
  users.length = 0;
  const { status, body: answer } = await send(operation.method, `${url}${path}?${search.toString()}`, {
    headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
    ...(Object.keys(whole).length > 0 ? { body: JSON.stringify(whole) } : {}),
  });
  return { status, code: answer['code'], users: [...users] };
}

const asCleo = { status: 422, code: 'operation_failed', users: ['cleo'] };
const refused = { status: 400, code: 'invalid_request', users: [] };

describe.each(operations)('$method $path', (operation) => {
  it('is called as the user who is named in the query, or in the body', async () => {
    expect(await ask(operation, { query: { userId: 'cleo' } })).toEqual(asCleo);
    expect(await ask(operation, { body: { userId: 'cleo' } })).toEqual(asCleo);
    expect(await ask(operation, { query: { userId: 'cleo' }, body: { userId: 'cleo' } })).toEqual(asCleo);
  });

  it('is not called where the two differ, or one is empty', async () => {
    for (const asked of [
      { query: { userId: 'cleo' }, body: { userId: 'gm' } },
      { query: { userId: '' } },
      { body: { userId: '' } },
      { query: { userId: 'cleo' }, body: { userId: '' } },
      { query: { userId: '' }, body: { userId: 'cleo' } },
      { body: { userId: null } },
      { body: { userId: ['cleo'] } },
      { body: { clientId: 'another' } },
    ])
      expect(await ask(operation, asked), JSON.stringify(asked)).toEqual(refused);
  });
});

describe('the body of a GET', () => {
  const path = () => `/players?clientId=${pairing.clientId}`;
  const headers = () => ({ 'x-api-key': key, 'content-type': 'application/json' });
  const body = '{"userId":"cleo"}';

  /** The status of a request as it is written, and the users that its world was called with. */
  async function write(method: string, given: Record<string, string | number>, text = '') {
    users.length = 0;
    const connection = openRaw(url);
    connection.socket.write(headOf(method, path(), given) + text);
    const status = await connection.status();
    connection.socket.destroy();
    return { status, users: [...users] };
  }

  it('is read in chunks too', async () => {
    const chunked = { ...headers(), 'transfer-encoding': 'chunked' };
    const chunks = `8\r\n${body.slice(0, 8)}\r\n9\r\n${body.slice(8)}\r\n0\r\n\r\n`;
    expect(await write('GET', chunked, chunks)).toEqual({ status: 422, users: ['cleo'] });
    expect(await write('GET', chunked, '0\r\n\r\n')).toEqual({ status: 422, users: [undefined] });
  });

  it('carries other parameters too', async () => {
    const operation = operations.find(({ name }) => name === 'get-actor-details')!;
    const details = ['stats'];
    const { parameters } = operation.example;
    users.length = 0;
    const { status } = await send('GET', `${url}${operation.path}`, {
      headers: headers(),
      body: JSON.stringify({ ...parameters, details, clientId: pairing.clientId, userId: 'cleo' }),
    });
    expect([status, users]).toEqual([422, ['cleo']]);
  });

  it('is not needed, whatever type is named', async () => {
    for (const given of [
      headers(),
      { ...headers(), 'content-type': 'text/html' },
      { ...headers(), 'content-length': 0 },
    ])
      expect(await write('GET', given)).toEqual({ status: 422, users: [undefined] });
  });

  it.each([
    ['is no JSON', 400, { 'content-type': 'application/json' }, '{"userId":'],
    ['is no object', 400, { 'content-type': 'application/json' }, '["cleo"]'],
    ['is of another type', 415, { 'content-type': 'image/png' }, body],
    ['is text', 415, { 'content-type': 'text/plain' }, 'cleo'],
    ['is a form', 415, { 'content-type': 'application/x-www-form-urlencoded' }, 'userId=cleo'],
    [
      'is larger than others may be',
      413,
      { 'content-type': 'application/json' },
      `${body}${' '.repeat(20_000)}`,
    ],
  ])('that %s refuses the call', async (_what, status, type, text) => {
    const given = { 'x-api-key': key, ...type, 'content-length': text.length };
    expect(await write('GET', given, text)).toEqual({ status, users: [] });
  });

  it.each(['', 'text/plain', 'application/x-www-form-urlencoded'])(
    'is read where it is an object, also of the type %j',
    async (type) => {
      const given = { ...headers(), 'content-type': type, 'content-length': body.length };
      expect(await write('GET', given, body)).toEqual({ status: 422, users: ['cleo'] });
    },
  );

  it('that grows too large in chunks refuses the call', async () => {
    const chunk = `1000\r\n${' '.repeat(4_096)}\r\n`;
    const chunked = { ...headers(), 'transfer-encoding': 'chunked' };
    expect(await write('GET', chunked, chunk.repeat(6))).toEqual({ status: 413, users: [] });
  });

  it('of a HEAD is refused', async () => {
    expect(await write('HEAD', { ...headers(), 'content-length': body.length }, body)).toEqual({
      status: 400,
      users: [],
    });
    expect(await write('HEAD', headers())).toEqual({ status: 422, users: [undefined] });
  });

  it.each(['/chat/subscribe', '/rolls/subscribe', '/hooks/subscribe'])(
    'of a stream, %s, is refused',
    async (stream) => {
      const { status, body: problem } = await send('GET', `${url}${stream}?clientId=${pairing.clientId}`, {
        headers: headers(),
        body,
      });
      expect([status, problem['code']]).toEqual([400, 'invalid_request']);
    },
  );
});

describe('a form', () => {
  const form = (fields: Record<string, string>) => {
    const data = new FormData();
    for (const [name, value] of Object.entries({ path: 'maps', ...fields })) data.append(name, value);
    data.append('file', new Blob(['It rings.']), 'a.txt');
    return data;
  };
  const upload = async (query: Record<string, string>, fields: Record<string, string>) => {
    users.length = 0;
    const search = new URLSearchParams({ clientId: pairing.clientId, ...query });
    const answer = await fetch(`${url}/upload?${search.toString()}`, {
      method: 'POST',
      headers: { 'x-api-key': key },
      body: form(fields),
    });
    return { status: answer.status, users: [...users] };
  };

  it('names a user as the query does, and not another', async () => {
    expect(await upload({}, { userId: 'cleo' })).toEqual({ status: 422, users: ['cleo'] });
    expect(await upload({ userId: 'cleo' }, { userId: 'cleo' })).toEqual({ status: 422, users: ['cleo'] });
    expect(await upload({ userId: 'cleo' }, { userId: 'gm' })).toEqual({ status: 400, users: [] });
    expect(await upload({}, { clientId: 'another' })).toEqual({ status: 400, users: [] });
  });
});

it('a ticket’s world and filters are refused where they would be left out', async () => {
  const ask = async (query: string, body: object) => {
    const { status } = await send('POST', `${url}/events/tickets${query}`, {
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ path: '/chat/subscribe', ...body }),
    });
    return status;
  };
  const query = { clientId: pairing.clientId, userId: 'cleo' };
  expect(await ask('', { query })).toBe(200);
  expect(await ask(`?userId=cleo`, { query: { clientId: pairing.clientId } })).toBe(400);
  expect(await ask(`?clientId=${pairing.clientId}`, {})).toBe(400);
});
