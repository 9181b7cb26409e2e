import { expect, it } from 'vitest';
import { createKeyPairs } from './key-pairs.ts';
import type { KeyPair } from './key-pairs.ts';

/** Pairs that are told apart by their number, and how many are being made. */
function countingMaker() {
  const count = { made: 0, atOnce: 0, mostAtOnce: 0 };
  async function make(): Promise<KeyPair> {
    count.mostAtOnce = Math.max(count.mostAtOnce, ++count.atOnce);
    await new Promise(setImmediate);
    count.atOnce--;
    return { publicKey: `public ${++count.made}`, privateKey: '' };
  }
  return { count, make };
}

const afterMany = async (turns = 50) => {
  for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
};

it('so many as are to be ahead are made, one after another, and each that is taken is replaced', async () => {
  const { count, make } = countingMaker();
  const pairs = createKeyPairs(3, make);
  pairs.start();
  await afterMany();
  expect(count).toEqual({ made: 3, atOnce: 0, mostAtOnce: 1 });
  const taken = await Promise.all(Array.from({ length: 5 }, () => pairs.take()));
  expect(new Set(taken.map(({ publicKey }) => publicKey)).size).toBe(5);
  await afterMany();
  expect(count).toMatchObject({ made: 8, mostAtOnce: 1 });
  pairs.stop();
});

it('with none ahead each take waits for its own, and a failure ends that take alone', async () => {
  const { count, make } = countingMaker();
  let failures = 1;
  const pairs = createKeyPairs(0, () => (failures-- > 0 ? Promise.reject(new Error('no memory')) : make()));
  pairs.start();
  await afterMany();
  expect(count.made).toBe(0);
  await expect(pairs.take()).rejects.toThrow('no memory');
  expect(await pairs.take()).toMatchObject({ publicKey: 'public 1' });
});

it('a failure ahead of all takes is made up for by the next take', async () => {
  const { count, make } = countingMaker();
  let failures = 1;
  const pairs = createKeyPairs(2, () => (failures-- > 0 ? Promise.reject(new Error('no memory')) : make()));
  pairs.start();
  await afterMany();
  expect(count.made).toBe(0);
  await pairs.take();
  await afterMany();
  expect(count.made).toBe(3);
  pairs.stop();
});

it('a failure behind pairs that are ready is made up for by the next take', async () => {
  const { count, make } = countingMaker();
  let call = 0;
  const pairs = createKeyPairs(2, () => (++call === 2 ? Promise.reject(new Error('no memory')) : make()));
  pairs.start();
  await afterMany();
  expect(count.made).toBe(1);
  await pairs.take();
  await afterMany();
  expect(count.made).toBe(3);
  pairs.stop();
});

it('once stopped it makes only what is taken', async () => {
  const { count, make } = countingMaker();
  const pairs = createKeyPairs(2, make);
  pairs.start();
  await afterMany();
  pairs.stop();
  await pairs.take();
  await afterMany();
  expect(count.made).toBe(3);
});

it('a real pair is made beside the event loop, which goes on', async () => {
  let turns = 0;
  let isMade = false;
  const counting = (async () => {
    for (; !isMade; turns++) await new Promise(setImmediate);
  })();
  const { publicKey, privateKey } = await createKeyPairs(0).take();
  isMade = true;
  await counting;
  expect(turns).toBeGreaterThan(10);
  expect(publicKey).toContain('BEGIN PUBLIC KEY');
  expect(privateKey).toContain('BEGIN PRIVATE KEY');
});
