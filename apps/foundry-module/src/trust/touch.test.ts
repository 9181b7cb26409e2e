import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTouch } from './touch.ts';

/** A socket, and a server whose answer waits until it is given. */
function start() {
  const heard = new Map<string, () => void>();
  const socket = {
    connected: true,
    on: (event: string, run: () => void) => heard.set(event, run),
  };
  const answers: PromiseWithResolvers<void>[] = [];
  const onRead = vi.fn<() => void>();
  const onError = vi.fn<(error: unknown) => void>();
  const refresh = () => {
    const answer = Promise.withResolvers<void>();
    answers.push(answer);
    return answer.promise;
  };
  const touch = createTouch({ socket: socket as never, refresh, onRead, onError });
  const lose = () => {
    socket.connected = false;
    heard.get('disconnect')!();
  };
  const comeBack = () => {
    socket.connected = true;
    heard.get('connect')!();
  };
  return { touch, answers, onRead, onError, lose, comeBack };
}

const page = {
  visibilityState: 'visible',
  addEventListener: vi.fn<(name: string, run: () => void) => void>(),
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', page);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a browser that lost the tabletop’s server is sure of nothing until it has read what was written meanwhile', async () => {
  const { touch, answers, onRead, lose, comeBack } = start();
  expect([touch.isSure(), await touch.settled()]).toEqual([true, true]);
  lose();
  expect([touch.isSure(), await touch.settled()]).toEqual([false, false]);
  comeBack();
  const settled = touch.settled();
  expect(touch.isSure()).toBe(false);
  answers[0]!.resolve();
  expect([await settled, touch.isSure(), onRead.mock.calls.length]).toEqual([true, true, 1]);
});

test('what was asked before one more loss says nothing of what came after it', async () => {
  const { touch, answers, lose, comeBack } = start();
  lose();
  comeBack();
  lose();
  comeBack();
  answers[0]!.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(touch.isSure()).toBe(false);
  answers[1]!.resolve();
  expect([await touch.settled(), touch.isSure()]).toEqual([true, true]);
});

test('a server that refuses is asked again, and one that does not answer keeps calls no longer than three seconds', async () => {
  const { touch, answers, onError, lose, comeBack } = start();
  lose();
  comeBack();
  answers[0]!.reject(new Error('no'));
  expect(await touch.settled()).toBe(false);
  expect(onError).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(15_000);
  const settled = touch.settled();
  await vi.advanceTimersByTimeAsync(3_000);
  expect([answers.length, await settled]).toEqual([2, false]);
});

test('however often a server refuses, it is asked again by one timer', async () => {
  const { touch, answers, lose, comeBack } = start();
  lose();
  comeBack();
  touch.read();
  touch.read();
  for (const answer of answers) answer.reject(new Error('no'));
  await vi.advanceTimersByTimeAsync(15_000);
  expect(answers.length).toBe(4);
});

test('a tab that is looked at again reads, and stays sure where the server refuses', async () => {
  const { touch, answers } = start();
  page.addEventListener.mock.lastCall![1]();
  const settled = touch.settled();
  answers[0]!.reject(new Error('no'));
  expect([await settled, answers.length]).toEqual([true, 1]);
});
