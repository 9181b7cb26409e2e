import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { runCli } from '../../test/run-cli.ts';

const key = 'trk_0123456789abcdefghijklmnopqrstuvwxyzABCD';

interface Asked {
  path: string;
  headers: IncomingMessage['headers'];
  message: { id?: number; method?: string };
}

/** A relay that answers each message so. */
async function startStandIn(answer: (asked: Asked, response: ServerResponse) => void) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (data) => (body += String(data)));
    request.on('end', () => {
      const one = {
        path: request.url ?? '',
        headers: request.headers,
        message: JSON.parse(body) as Asked['message'],
      };
      asked.push(one);
      answer(one, response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const env = {
    TABLETOP_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    TABLETOP_KEY: key,
  };
  const bridge = async (messages: readonly unknown[], ...flags: string[]) => {
    const input = messages.map((one) => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`).join('');
    const ran = await runCli(['mcp', ...flags], { env, input });
    const said = ran.stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    return { ...ran, said };
  };
  return { asked, env, bridge };
}

const sendJson = (response: ServerResponse, value: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));

const ok = (id: number | undefined) => ({ jsonrpc: '2.0', id, result: { resultType: 'complete' } });

it('each message goes to the relay with the key and the headers of its version, and its answer is a line', async () => {
  const { asked, bridge } = await startStandIn(({ message }, response) => sendJson(response, ok(message.id)));
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const { said, code } = await bridge(
    [
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'worlds', _meta } },
      '',
      { jsonrpc: '2.0', id: 2, method: 'resources/read', params: { uri: 'relay://wörld', _meta } },
    ],
    '--world',
    'w1',
    '--readonly',
    '--tools',
    'read',
  );
  expect(code).toBe(0);
  expect(said).toHaveLength(2);
  expect(said).toEqual(expect.arrayContaining([ok(1), ok(2)]));
  const [call, read] = asked.toSorted((one, other) => (one.message.id ?? 0) - (other.message.id ?? 0));
  expect(call).toMatchObject({
    path: '/mcp?world=w1&tools=read&readonly=1',
    headers: {
      'x-api-key': key,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'worlds',
      accept: 'application/json, text/event-stream',
    },
  });
  expect(read?.headers['mcp-name']).toBe(`=?base64?${Buffer.from('relay://wörld').toString('base64')}?=`);
});

it('a program of the older protocol agrees on a version, which each later message brings', async () => {
  const { asked, env } = await startStandIn(({ message: { id, method } }, response) => {
    if (method === 'initialize') {
      const result = { jsonrpc: '2.0', id, result: { protocolVersion: '2025-11-25' } };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`event: message\ndata: ${JSON.stringify(result)}\n\n`);
    } else if (id === undefined) response.writeHead(202).end();
    else sendJson(response, ok(id));
  });
  const answered = Promise.withResolvers<void>();
  async function* messages() {
    yield `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize' })}\n`;
    await answered.promise;
    yield `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`;
  }
  const ran = await runCli(['mcp'], { env, input: messages(), onOutput: () => answered.resolve() });
  expect([JSON.parse(ran.stdout), ran.stderr]).toEqual([
    { jsonrpc: '2.0', id: 1, result: { protocolVersion: '2025-11-25' } },
    '',
  ]);
  expect(asked.map(({ headers }) => headers['mcp-protocol-version'])).toEqual([undefined, '2025-11-25']);
  expect(asked.map(({ headers }) => headers['mcp-method'])).toEqual([undefined, undefined]);
});

it('what the relay refuses is the answer to its message, and tells no key', async () => {
  const problem = { code: 'key_invalid', detail: 'The key is unknown.', status: 401 };
  const { bridge } = await startStandIn((_asked, response) => sendJson(response, problem, 401));
  const { said, stdout, stderr } = await bridge([
    { jsonrpc: '2.0', id: 7, method: 'tools/list' },
    'no JSON',
    `"${'x'.repeat(1_100_000)}"`,
  ]);
  expect(said).toHaveLength(3);
  expect(said).toEqual(
    expect.arrayContaining([
      {
        jsonrpc: '2.0',
        id: 7,
        error: { code: -32_000, message: 'key_invalid: The key is unknown.', data: problem },
      },
      expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32_700 }) as unknown }),
    ]),
  );
  expect(stdout + stderr).not.toContain(key);
});

it('a relay without it, one that is away, and one that answers with a page are told as such', async () => {
  const { bridge } = await startStandIn(
    (_asked, response) => void response.writeHead(502).end('<h1>Bad</h1>'),
  );
  const [page] = (await bridge([{ jsonrpc: '2.0', id: 1, method: 'tools/list' }])).said;
  expect(page).toMatchObject({ id: 1, error: { data: { code: 'bad_answer' } } });
  const env = { TABLETOP_URL: 'http://127.0.0.1:9', TABLETOP_KEY: key };
  const away = await runCli(['mcp'], { env, input: '{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n' });
  expect(JSON.parse(away.stdout)).toMatchObject({ id: 2, error: { data: { code: 'connection_failed' } } });
});

it('a message that the assistant gives up ends its request, and is not answered', async () => {
  let isGivenUp: () => void;
  const givenUp = new Promise<void>((resolve) => (isGivenUp = resolve));
  const { asked, bridge } = await startStandIn((_asked, response) =>
    response.once('close', () => isGivenUp()),
  );
  const { said } = await bridge([
    { jsonrpc: '2.0', id: 5, method: 'tools/call', params: {} },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } },
  ]);
  expect(said).toEqual([]);
  if (asked.length > 0) await givenUp;
});
