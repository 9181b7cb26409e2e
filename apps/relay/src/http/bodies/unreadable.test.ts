import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { isEnded, listen } from '../../../test/http/bare-server.ts';

/** All that comes until the server ends the connection. */
const readAll = async (socket: Socket): Promise<string> =>
  (await socket.setEncoding('latin1').toArray()).join('');

interface Answer {
  status: number;
  head: string;
  problem: Record<string, unknown>;
}

/** One answer that is a problem document with our headers. */
function readProblem(text: string): Answer {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  expect(head).toMatch(/^content-type: application\/problem\+json/im);
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]),
    head,
    problem: JSON.parse(body) as Record<string, unknown>,
  };
}

test.each([
  ['names no host', 'GET /x HTTP/1.1\r\nconnection: close\r\n\r\n', 400, /host is missing/],
  [
    'expects what nobody knows',
    'GET /x HTTP/1.1\r\nhost: x\r\nconnection: close\r\nexpect: cake\r\n\r\n',
    417,
    /100-continue/,
  ],
  [
    'has a space in its target',
    'GET /s?query=fire bolt HTTP/1.1\r\nhost: x\r\n\r\n',
    400,
    /percent-encode it/,
  ],
  [
    'has a letter in its target that is not ASCII',
    'GET /s?query=caf\u00E9 HTTP/1.1\r\nhost: x\r\n\r\n',
    400,
    /percent-encode it/,
  ],
  [
    'has a control character in its target',
    'GET /a\u0001b HTTP/1.1\r\nhost: x\r\n\r\n',
    400,
    /percent-encode it/,
  ],
  ['is of another protocol', 'GET /x SMTP/1.1\r\nhost: x\r\n\r\n', 400, /not HTTP/],
])('a request that %s gets a problem document that says what to do', async (_what, bytes, status, detail) => {
  for (const encoding of ['utf8', 'latin1'] as const) {
    const { open, handled } = await listen();
    const socket = open();
    socket.write(bytes, encoding);
    const answer = readProblem(await readAll(socket));
    expect(answer.status).toBe(status);
    expect(answer.problem).toMatchObject({ status, retryable: false });
    expect(answer.problem['detail']).toMatch(detail);
    expect(handled).toEqual([]);
  }
});

test('HTTP/1.0 needs no host, and its expectations mean nothing', async () => {
  const { open } = await listen();
  const socket = open();
  socket.write('GET /x HTTP/1.0\r\nexpect: cake\r\n\r\n');
  expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200 /);
});

const body = 'POST /x HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: 3\r\n\r\nabc';

test.each(['def', '\r\nHELLO\r\n\r\n'])(
  'bytes behind a body end the connection behind the owed answer',
  async (more) => {
    const owed = Promise.withResolvers<string>();
    const { open, handled } = await listen(() => owed.promise);
    const socket = open();
    const all = readAll(socket);
    socket.write(body + more);
    await expect.poll(() => handled).toEqual(['/x']);
    // Node tells of each chunk that comes behind.
    for (let chunk = 0; chunk < 3; chunk++) {
      socket.write('more');
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    owed.resolve('the answer');
    expect(await all).toMatch(/^HTTP\/1\.1 200 [^]*the answer$/);
  },
);

test('of bytes behind a body so many are read, and then the connection ends without the answer', async () => {
  const { open, taken } = await listen(() => new Promise(() => {}));
  const socket = open().resume();
  const ended = isEnded(socket);
  socket.write(body);
  const send = (): void => {
    if (!socket.destroyed) socket.write('x'.repeat(65_536), send);
  };
  send();
  await ended;
  expect(taken[0]?.bytesRead).toBeLessThan(2_000_000);
});

test.each([
  ['is not as HTTP has it', 'write', 'transfer-encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n', /not HTTP/],
  ['breaks off', 'end', 'content-length: 10\r\n\r\nabc', /before its announced length/],
] as const)('a body that %s is answered, read or not', async (_what, how, rest, detail) => {
  for (const waits of [false, true]) {
    const { open, handled } = await listen(undefined, {
      prepare: (app) =>
        app.addHook('onRequest', async () => {
          if (waits) await new Promise((resolve) => setTimeout(resolve, 50));
        }),
    });
    const socket = open();
    socket[how](`POST /x HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\n${rest}`);
    const { status, head, problem } = readProblem(await readAll(socket));
    expect([status, problem['code']]).toEqual([400, 'invalid_request']);
    expect(problem['detail']).toMatch(detail);
    expect(head).toMatch(/^connection: close/im);
    expect(handled).toEqual(['/x']);
  }
});

test('a body that breaks off behind its answer gets no second one', async () => {
  const { open } = await listen();
  const socket = open();
  const all = readAll(socket);
  socket.write('GET /x HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n');
  await new Promise((resolve) => setTimeout(resolve, 50));
  socket.write('zz\r\n');
  expect((await all).match(/HTTP\/1\.1/g)).toHaveLength(1);
});

test.each(['', 'GET /first HTTP/1.1\r\nhost: x\r\n\r\n'])(
  'who asks for a tunnel and resets its connection ends nothing but that: behind %j',
  async (before) => {
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    const others = process.rawListeners('uncaughtException') as ((error: unknown) => void)[];
    process.removeAllListeners('uncaughtException').on('uncaughtException', onError);
    onTestFinished(() => {
      process.off('uncaughtException', onError);
      for (const other of others) process.on('uncaughtException', other);
    });
    const first = Promise.withResolvers<string>();
    const { open, server, taken } = await listen(() => first.promise);
    for (let round = 0; round < 10; round++) {
      const socket = open();
      const asked = once(server, 'connect');
      socket.write(`${before}CONNECT a:1 HTTP/1.1\r\nhost: a:1\r\n\r\n`);
      await once(socket, 'connect');
      socket.resetAndDestroy();
      await asked;
    }
    first.resolve('late');
    await expect.poll(() => taken.filter(({ closed }) => !closed)).toEqual([]);
    expect(errors).toEqual([]);
  },
);
