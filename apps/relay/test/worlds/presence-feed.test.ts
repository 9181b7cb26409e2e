import type { Broadcast } from '@tabletop-relay/cluster';
import { expect, test } from 'vitest';
import { createPresenceFeed } from '../../src/worlds/presence.ts';

/** A broadcast to this instance alone, and what was sent over it. */
function createEcho() {
  const messages: unknown[] = [];
  let hear: (message: string) => void = () => {};
  const broadcast: Broadcast = {
    publish: (_topic, message) => {
      messages.push(JSON.parse(message));
      hear(message);
      return Promise.resolve();
    },
    subscribe: (_topic, listener) => {
      hear = listener;
      return () => {};
    },
    onGap: () => () => {},
  };
  return { messages, broadcast };
}

const come = (index: number) => ({
  accountId: `account ${index % 2}`,
  clientId: `world ${index}`,
  isOnline: true,
});

test('worlds that come together are told in few messages, each to its own account', async () => {
  const { messages, broadcast } = createEcho();
  const feed = createPresenceFeed(broadcast);
  const heard: string[] = [];
  feed.subscribe('account 1', (change) => heard.push(change?.clientId ?? 'missed'));
  for (let index = 0; index < 1_000; index++) feed.announce(come(index));
  await expect.poll(() => heard).toHaveLength(500);
  expect(messages).toHaveLength(2);
  expect(new Set(heard).size).toBe(500);
});

test('one world that comes alone is told in the form that older instances read', async () => {
  const { messages, broadcast } = createEcho();
  createPresenceFeed(broadcast).announce(come(1));
  await expect.poll(() => messages).toEqual([come(1)]);
});
