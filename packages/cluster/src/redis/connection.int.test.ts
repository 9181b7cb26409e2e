import { startRedis, waitFor } from '@tabletop-relay/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createConnect, sendCommand } from './connection.ts';
import { defaultTimes } from './times.ts';

test('a password that was changed is taken at the next dial', async () => {
  const server = await startRedis({ requirepass: 'one' });
  onTestFinished(() => server.stop());
  const withPassword = (password: string) => server.url.replace('//', `//:${password}@`);
  let url = withPassword('one');
  const redis = createConnect(() => url)(url, 'test', defaultTimes);
  onTestFinished(() => redis.disconnect());
  await redis.connect();
  await sendCommand(redis, 'config', ['SET', 'requirepass', 'two']);
  url = withPassword('two');
  const gone = new Promise<void>((resolve) => redis.once('close', resolve));
  redis.disconnect(true);
  await gone;
  await waitFor(() => redis.status === 'ready');
  expect(await sendCommand(redis, 'ping', [])).toBe('PONG');
});

test('an answer that came while the event loop stood still is taken, though its time is over', async () => {
  const server = await startRedis();
  onTestFinished(() => server.stop());
  const redis = createConnect()(server.url, 'test', { ...defaultTimes, answerMs: 100 });
  onTestFinished(() => redis.disconnect());
  await redis.connect();
  const answer = sendCommand(redis, 'ping', []);
  standStill(300);
  expect(await answer).toBe('PONG');
  const blocked = sendCommand(redis, 'blpop', ['nothing', 1]);
  await expect(blocked).rejects.toThrow('Redis did not answer within 100 ms');
});

function standStill(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}
