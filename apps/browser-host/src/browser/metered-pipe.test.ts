import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createMeteredPipe } from './metered-pipe.ts';

const bounds = {
  messagesPerSecond: 10,
  messagesAtOnce: 20,
  bytesPerSecond: 1_000,
  bytesAtOnce: 2_000,
  maxMessageBytes: 500,
};

/** A pipe with a clock of its own, and what came of it. */
function openPipe(own = bounds) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const seen = { messages: [] as object[], floods: [] as string[], closes: 0 };
  const clock = { ms: 0 };
  const pipe = createMeteredPipe(
    { input, output },
    { bounds: own, onFlood: (what) => void seen.floods.push(what), now: () => clock.ms },
  );
  Object.assign(pipe, {
    onmessage: (message: object) => void seen.messages.push(message),
    onclose: () => void seen.closes++,
  });
  return { pipe, input, output, seen, clock };
}

const message = (text = '') => `${JSON.stringify({ text })}\0`;
const afterAll = async () => {
  for (let turns = 0; turns < 100; turns++) await turn();
};

it('messages are dispatched one a turn, in their order, also those that come in pieces', async () => {
  const { output, seen } = openPipe();
  const [first, second] = [Buffer.from(message('é😀')), Buffer.from(message('b'))];
  // Within a character.
  output.write(first.subarray(0, 11));
  await afterAll();
  expect(seen.messages).toEqual([]);
  output.write(Buffer.concat([first.subarray(11), second, Buffer.from(message('c'))]));
  await afterAll();
  expect(seen.messages).toEqual([{ text: 'é😀' }, { text: 'b' }, { text: 'c' }]);
  expect(seen.floods).toEqual([]);
});

it.each(['Runtime.consoleAPICalled', 'Runtime.exceptionThrown', 'Log.entryAdded'])(
  'a message %s that is too long to be kept is left out',
  async (method) => {
    const { output, seen } = openPipe({ ...bounds, maxMessageBytes: 1_000_000, bytesAtOnce: 1_000_000 });
    const line = (length: number) => ({ method, params: { text: 'x'.repeat(length) } });
    for (const one of [line(70_000), line(5), { method: 'Page.other', params: 'x'.repeat(70_000) }])
      output.write(`${JSON.stringify(one)}\0`);
    await afterAll();
    expect(seen.messages).toMatchObject([line(5), { method: 'Page.other' }]);
    expect(seen.floods).toEqual([]);
  },
);

it('what is sent is JSON that ends with NUL', () => {
  const { pipe, input } = openPipe();
  pipe.send({ id: 1 });
  expect(String(input.read())).toBe('{"id":1}\0');
});

it.each([
  ['more messages than it may', message().repeat(21), /more than 10 messages a second/],
  ['more bytes than it may', message('x'.repeat(400)).repeat(5), /MiB a second/],
  ['a message that is too large', message('x'.repeat(500)), /one message of more than/],
  ['the beginning of one that is too large', 'x'.repeat(501), /one message of more than/],
])(
  'a browser that sends %s is told of once, and nothing of it is dispatched any more',
  async (_what, text, why) => {
    const { output, seen } = openPipe();
    output.write(text);
    output.write(message('after'));
    await afterAll();
    expect(seen.floods).toEqual([expect.stringMatching(why)]);
    expect(seen.messages).toEqual([]);
    expect(seen.closes).toBe(1);
  },
);

it('as many as at once, and then as many a second, go on for ever', async () => {
  const { output, seen, clock } = openPipe();
  output.write(message().repeat(20));
  for (let second = 0; second < 60; second++) {
    clock.ms += 1_000;
    output.write(message('x'.repeat(80)).repeat(10));
    await afterAll();
  }
  expect(seen.floods).toEqual([]);
  expect(seen.messages).toHaveLength(620);
});

it('no more is read while messages wait', async () => {
  const { output, seen } = openPipe();
  output.write(message('a').repeat(3));
  output.write(message('b'));
  await turn();
  expect(output.isPaused()).toBe(true);
  await afterAll();
  expect(output.isPaused()).toBe(false);
  expect(seen.messages).toHaveLength(4);
});

it.each([
  ['is no JSON', 'x\0', () => {}],
  [
    'its reader cannot take',
    message(),
    () => {
      throw new Error('what is this?');
    },
  ],
])('a message that %s ends this pipe alone', async (_what, text, onmessage) => {
  const { pipe, output, seen } = openPipe();
  Object.assign(pipe, { onmessage });
  output.write(text);
  await afterAll();
  expect(output.destroyed).toBe(true);
  expect(seen.closes).toBe(1);
});

it('the end of the pipe is told, and what is sent after it goes nowhere', async () => {
  const { pipe, output, seen } = openPipe();
  output.end();
  await afterAll();
  expect(seen.closes).toBe(1);
  expect(() => pipe.send({ id: 2 })).not.toThrow();
});
