import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakeConnection } from '../../../test/fakes/fake-connection.ts';
import type { FakeConnection } from '../../../test/fakes/fake-connection.ts';
import { settle } from '../../../test/fakes/fake-shard.ts';
import { NoAnswer } from '../connection.ts';
import type { ClusterTimes } from '../times.ts';
import { defaultTimes } from '../times.ts';
import { createBulkLink } from './bulk-link.ts';

const onChunk = vi.fn<(message: Buffer) => void>();
const onLost = vi.fn<() => void>();
beforeEach(() => vi.clearAllMocks());

function createTestLink() {
  const made: (FakeConnection & { name: string; times: ClusterTimes })[] = [];
  const link = createBulkLink(
    {
      url: 'redis://127.0.0.1',
      boot: 'boot',
      channels: 2,
      times: defaultTimes,
      connect: (_url, name, times) => {
        const fake = createFakeConnection();
        made.push({ ...fake, name, times });
        return fake.connection;
      },
    },
    { onChunk, onLost },
  );
  const [commands, subscriber] = made as [(typeof made)[number], (typeof made)[number]];
  return {
    link,
    commands,
    subscriber,
    async stand() {
      subscriber.events.emit('ready');
      subscriber.subscriptions.at(-1)?.answer.resolve();
      await settle();
    },
  };
}

describe('the connections for large bodies', () => {
  it('have more time than the others, and are dialled at the start and closed at the end', () => {
    const { link, commands, subscriber } = createTestLink();
    const both = [commands, subscriber];
    expect(both.map(({ times }) => times.answerMs)).toEqual([
      defaultTimes.bulkAnswerMs,
      defaultTimes.bulkAnswerMs,
    ]);
    expect(both.map(({ connect }) => connect.mock.calls.length)).toEqual([0, 0]);
    link.start();
    expect(both.map(({ connect }) => connect.mock.calls.length)).toEqual([1, 1]);
    link.stop();
    // Without an argument: they do not dial again.
    expect(both.map(({ disconnect }) => disconnect.mock.calls)).toEqual([[[]], [[]]]);
  });

  it('are dialled again where Redis does not answer in time, for answers come in order', async () => {
    const { link, commands } = createTestLink();
    const answer = link.send('set', ['key', 'body']);
    commands.sent[0]?.answer.reject(new NoAnswer('late'));
    await expect(answer).rejects.toThrow('late');
    expect(commands.disconnect).toHaveBeenCalledWith(true);
  });

  it('stay where Redis refuses', async () => {
    const { link, commands } = createTestLink();
    const answer = link.send('set', ['key', 'body']);
    commands.sent[0]?.answer.reject(new Error('OOM'));
    await expect(answer).rejects.toThrow('OOM');
    await settle();
    expect(commands.disconnect).not.toHaveBeenCalled();
  });
});

describe('the channels of chunks', () => {
  it('are subscribed to together, and each chunk is told', async () => {
    const { link, subscriber, stand } = createTestLink();
    expect(link.isListening()).toBe(false);
    await stand();
    await link.listening;
    expect(link.isListening()).toBe(true);
    const channels = subscriber.subscriptions[0]?.channels ?? [];
    expect(channels).toHaveLength(2);
    const channel = Buffer.from(channels[1] ?? '');
    const message = Buffer.from('chunk');
    subscriber.events.emit('messageBuffer', channel, message);
    expect(onChunk.mock.calls).toEqual([[message]]);
  });

  it('that close are told as lost, once, and only after they stood', async () => {
    const { link, subscriber, stand } = createTestLink();
    subscriber.events.emit('close');
    expect(onLost).not.toHaveBeenCalled();
    await stand();
    subscriber.events.emit('close');
    expect(link.isListening()).toBe(false);
    subscriber.events.emit('close');
    expect(onLost).toHaveBeenCalledTimes(1);
    await stand();
    expect(link.isListening()).toBe(true);
  });

  it('are dialled again where Redis refuses them, and where they are distrusted', async () => {
    const { link, subscriber } = createTestLink();
    subscriber.events.emit('ready');
    subscriber.subscriptions[0]?.answer.reject(new Error('NOPERM'));
    await settle();
    expect(subscriber.disconnect.mock.calls).toEqual([[true]]);
    link.distrust();
    expect(subscriber.disconnect.mock.calls).toEqual([[true], [true]]);
  });

  it('that are distrusted are not listened to before they close, and stand again afterwards', async () => {
    const { link, subscriber, stand } = createTestLink();
    await stand();
    link.distrust();
    expect(link.isListening()).toBe(false);
    subscriber.events.emit('close');
    // Whoever distrusts them has given up what was awaited.
    expect(onLost).not.toHaveBeenCalled();
    await stand();
    expect(link.isListening()).toBe(true);
  });
});
