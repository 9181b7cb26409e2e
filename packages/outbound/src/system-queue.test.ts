import { expect, it } from 'vitest';
import type { FoundAddress } from './found-address.ts';
import { createSystemQueue } from './system-queue.ts';

const found: FoundAddress[] = [{ address: '8.8.8.8', family: 4 }];

/** A system that answers when the test says so. */
function openSystem(waiting = 10) {
  const asked: { host: string; answer: PromiseWithResolvers<FoundAddress[]> }[] = [];
  const lookUp = createSystemQueue(
    (host) => {
      const answer = Promise.withResolvers<FoundAddress[]>();
      asked.push({ host, answer });
      return answer.promise;
    },
    { waiting },
  );
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { asked, lookUp, settle, hosts: () => asked.map(({ host }) => host) };
}

it('asks the system for one name at a time, in the order in which they came', async () => {
  const { asked, lookUp, settle, hosts } = openSystem();
  const answers = ['one', 'two', 'three'].map((host) => lookUp(host));
  await settle();
  expect(hosts()).toEqual(['one']);
  asked[0]?.answer.reject(new Error('not found'));
  await expect(answers[0]).rejects.toThrow('not found');
  await settle();
  expect(hosts()).toEqual(['one', 'two']);
  asked[1]?.answer.resolve(found);
  expect(await answers[1]).toEqual(found);
  await settle();
  asked[2]?.answer.resolve(found);
  expect(await answers[2]).toEqual(found);
});

it('counts a look-up that nobody waits for any more until it ends', async () => {
  const { asked, lookUp, settle, hosts } = openSystem();
  const end = new AbortController();
  const left = lookUp('silent', end.signal);
  const waiting = lookUp('next');
  await settle();
  end.abort(new Error('too late'));
  await expect(left).rejects.toThrow('too late');
  await settle();
  expect(hosts()).toEqual(['silent']);
  asked[0]?.answer.resolve(found);
  await settle();
  expect(hosts()).toEqual(['silent', 'next']);
  asked[1]?.answer.resolve(found);
  expect(await waiting).toEqual(found);
});

it('gives no turn to whom left the line', async () => {
  const { asked, lookUp, settle, hosts } = openSystem();
  const end = new AbortController();
  const first = lookUp('first');
  const left = lookUp('left', end.signal);
  const last = lookUp('last');
  end.abort(new Error('too late'));
  await expect(left).rejects.toThrow('too late');
  asked[0]?.answer.resolve(found);
  await first;
  await settle();
  expect(hosts()).toEqual(['first', 'last']);
  asked[1]?.answer.resolve(found);
  expect(await last).toEqual(found);
});

it('refuses whom the line has no place for, and has places again', async () => {
  const { asked, lookUp, settle } = openSystem(1);
  const answers = [lookUp('one'), lookUp('two')];
  await expect(lookUp('three')).rejects.toThrow('too many');
  for (const index of [0, 1]) {
    await settle();
    asked[index]?.answer.resolve(found);
  }
  await Promise.all(answers);
  const again = lookUp('four');
  await settle();
  asked[2]?.answer.resolve(found);
  expect(await again).toEqual(found);
});
