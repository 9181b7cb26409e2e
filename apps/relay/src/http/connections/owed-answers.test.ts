import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { isEnded, listen } from '../../../test/http/bare-server.ts';
import { mostOwed } from './owed-answers.ts';

const ask = (path: string, fields = '') => `GET ${path} HTTP/1.1\r\nhost: x\r\n${fields}\r\n`;
const asked = (count: number) => Array.from({ length: count }, (_one, index) => `/${index}`);

/** The bodies of all answers, until so many have come or the connection has ended. */
async function readAnswers(socket: Socket, count: number): Promise<string[]> {
  let text = '';
  const bodies = () =>
    [...text.matchAll(/HTTP\/1\.1 200 [^]*?\r\n\r\n(\/\d+)/g)].map(([, body]) => body ?? '');
  for await (const chunk of socket.setEncoding('latin1')) {
    text += chunk as string;
    if (bodies().length >= count) break;
  }
  return bodies();
}

test('sixteen requests that are sent ahead are answered in their order, round after round', async () => {
  const { open } = await listen();
  for (let round = 0; round < 3; round++) {
    const socket = open();
    socket.write(
      asked(mostOwed)
        .map((path) => ask(path))
        .join(''),
    );
    expect(await readAnswers(socket, mostOwed)).toEqual(asked(mostOwed));
  }
});

test('a connection that goes on asking as it is answered has no other bound', async () => {
  const { open, handled } = await listen();
  const socket = open();
  for (const path of asked(3 * mostOwed)) {
    socket.write(ask(path));
    await once(socket, 'data');
  }
  expect(handled).toHaveLength(3 * mostOwed);
});

test.each([1, 5_000])(
  'a connection with %i requests more is closed, and none of them is handled',
  async (more) => {
    const { open, handled } = await listen(() => new Promise(() => {}));
    const socket = open().resume();
    const closed = isEnded(socket);
    socket.write(
      asked(mostOwed + more)
        .map((path) => ask(path))
        .join(''),
    );
    await closed;
    expect(handled).toEqual(asked(mostOwed));
  },
);

test('of a connection that was closed at one request the rest of its chunk is not handled', async () => {
  const { open, handled } = await listen(undefined, {
    prepare: (app) => app.addHook('onRequest', ({ raw }, _reply, done) => done(void raw.socket.destroy())),
  });
  const socket = open().resume();
  const closed = isEnded(socket);
  socket.write(
    asked(3)
      .map((path) => ask(path))
      .join(''),
  );
  await closed;
  expect(handled).toEqual(['/0']);
});

test('it does not matter how the requests are cut, and what they expect', async () => {
  const { open, handled } = await listen(() => new Promise(() => {}));
  const socket = open().resume();
  const closed = isEnded(socket);
  for (const path of asked(mostOwed)) {
    socket.write(ask(path, 'expect: 100-continue\r\n'));
    await expect.poll(() => handled, { interval: 1 }).toContain(path);
  }
  socket.write(ask('/more', 'expect: 100-continue\r\n'));
  await closed;
  expect(handled).toEqual(asked(mostOwed));
});

test('a request for another protocol behind one that waits is answered as if it had not asked, and counts', async () => {
  const { open, handled, server } = await listen(() => new Promise(() => {}));
  let upgrades = 0;
  server.on('upgrade', () => upgrades++);
  const upgrade = ask('/relay', 'connection: upgrade\r\nupgrade: websocket\r\n');
  const socket = open().resume();
  const closed = isEnded(socket);
  socket.write(
    asked(mostOwed)
      .map((path) => ask(path))
      .join('') + upgrade,
  );
  await closed;
  const other = open().resume();
  other.write(ask('/first') + upgrade);
  await expect.poll(() => handled).toEqual([...asked(mostOwed), '/first', '/relay']);
  expect(upgrades).toBe(0);
});

test('a tunnel that is asked for behind a request is refused behind its answer', async () => {
  const { open } = await listen(async (path) => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    return path;
  });
  const socket = open();
  socket.write(`${ask('/first')}CONNECT a:1 HTTP/1.1\r\nhost: a:1\r\n\r\n`);
  const text = (await socket.setEncoding('latin1').toArray()).join('');
  expect(text).toMatch(/^HTTP\/1\.1 200 [^]*\/firstHTTP\/1\.1 405 /);
});
