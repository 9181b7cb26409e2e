import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createHandledFrames, maxFrameBytes, operation } from './handled-frames.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
test('a reply above the largest frame fails its call alone, and holds nothing up', async () => {
  const { socket, ws, sent, registry, receive } = createHandledFrames();
  const [first, second] = [1, 2].map(() => socket.calls.call(operation, '{}', 10_000));
  const [large, other] = sent.map(({ requestId }) => ({ type: `${operation.name}-result`, requestId }));
  receive(large as object as Record<string, unknown>, maxFrameBytes + 1);
  await expect(first).rejects.toMatchObject({
    code: 'client_bad_reply',
    message: `The world’s answer is larger than ${maxFrameBytes} bytes. Ask for less.`,
    fields: { retryable: false, requestId: large?.requestId },
  });
  expect([ws.isPaused, ws.close.mock.calls.length, socket.calls.size]).toEqual([false, 0, 1]);
  receive(other as object as Record<string, unknown>, maxFrameBytes);
  expect((await second)?.body).toHaveLength(maxFrameBytes);
  expect(await registry.metrics()).toMatch(/^relay_large_frames_dropped_total 1$/m);
});

test.each([
  ['has an error', (id: string) => `"type":"${operation.name}-result","requestId":"${id}","error":"no"`],
  ['is of another type', (id: string) => `"type":"other","requestId":"${id}"`],
  [
    'names its type twice',
    (id: string) => `"type":"x","type":"${operation.name}-result","requestId":"${id}"`,
  ],
])('a reply above 1 MiB that %s is not parsed, and its call fails', async (_what, fields) => {
  const { socket, ws, sent, receiveText } = createHandledFrames();
  const reply = socket.calls.call(operation, '{}', 10_000);
  const head = fields(String(sent[0]?.['requestId']));
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  receiveText(`{${head},"data":[${'[],'.repeat(400_000)}1]}`);
  await expect(reply).rejects.toMatchObject({
    code: 'client_bad_reply',
    message: expect.stringContaining(
      'larger than 1 MiB, and not written so that it can be passed on as it came',
    ) as string,
    fields: { retryable: false },
  });
  expect(Math.max(0, ...parse.mock.calls.map(([text]) => text.length))).toBeLessThan(2_000);
  expect(ws.isPaused).toBe(false);
});

const named = (requestId: unknown) => `"type":"${operation.name}-result","requestId":"${String(requestId)}"`;

test('a reply of 32 KiB is passed on as it came, and a smaller one is looked at', async () => {
  const { socket, sent, receiveText } = createHandledFrames(300_000);
  const broken = (bytes: number) => {
    const reply = socket.calls.call(operation, '{}', 10_000);
    const text = `{${named(sent.at(-1)?.['requestId'])},"data":[`.padEnd(bytes, 'x');
    receiveText(text);
    return { reply, text };
  };
  const large = broken(32_768);
  expect((await large.reply).body.toString()).toBe(large.text);
  await expect(broken(32_767).reply).rejects.toMatchObject({ code: 'client_bad_reply' });
});

test.each([
  ['within the first 64 KiB refuses the call', 65_536, 'no'],
  ['behind the first 64 KiB is passed on', 65_537, '200'],
])('an error that begins %s', async (_where, bytes, outcome) => {
  const { socket, sent, receiveText } = createHandledFrames();
  const reply = socket.calls.call(operation, '{}', 10_000);
  const head = `{${named(sent[0]?.['requestId'])},"data":"`;
  const error = '","error":';
  receiveText(`${head.padEnd(bytes - error.length, 'x')}${error}"no"}`);
  expect(
    await reply.then(
      () => '200',
      ({ message }: Error) => message,
    ),
  ).toBe(outcome);
});

test.each([
  ['whose names stand behind it', (id: unknown) => `{"data":"${'x'.repeat(100_000)}",${named(id)}}`],
  [
    'whose names are escaped',
    (id: unknown) => `{${named(id).replace('type', String.raw`\u0074ype`)},"data":[]}`,
  ],
])('a reply %s answers its call as any other', async (_how, write) => {
  const { socket, sent, receiveText } = createHandledFrames(300_000);
  const reply = socket.calls.call(operation, '{}', 10_000);
  const text = write(sent[0]?.['requestId']);
  receiveText(text);
  expect((await reply).body.toString()).toBe(text);
});

test('a large reply whose names stand behind its first 64 KiB fails its call at once, unparsed', async () => {
  const { socket, sent, receiveText } = createHandledFrames();
  const reply = socket.calls.call(operation, '{}', 10_000);
  const requestId = sent[0]?.['requestId'];
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  receiveText(`{"data":[${'[],'.repeat(100_000)}1],${named(requestId)}}`);
  await expect(reply).rejects.toMatchObject({
    code: 'client_bad_reply',
    message: expect.stringContaining('type and requestId did not stand first') as string,
  });
  expect(Math.max(0, ...parse.mock.calls.map(([text]) => text.length))).toBeLessThan(2_000);
  expect(sent[1]).toMatchObject({ type: 'error', code: 'bad_frame', requestId });
});
