import { expect, test, vi } from 'vitest';
import type { Suite } from './fleet.ts';

/** Promises of the broadcast. */
export function describeBroadcast(suite: Suite): void {
  test('reach every instance, their sender too, in order', async () => {
    const instances = await suite.start(3);
    const heard = instances.map(({ cluster }) => {
      const messages: string[] = [];
      cluster.broadcast.subscribe('keys', (message) => messages.push(message));
      return messages;
    });
    const sent = Array.from({ length: 50 }, (_, index) => `message ${index} ü`);
    for (const message of sent) await instances[0]?.cluster.broadcast.publish('keys', message);
    await instances[0]?.cluster.broadcast.publish('other', 'not for them');
    await vi.waitFor(() => expect(heard).toEqual([sent, sent, sent]), 10_000);
  });

  test('reach no listener that has left', async () => {
    const [first, second] = await suite.pair();
    const heard: string[] = [];
    const listener = (message: string): void => void heard.push(message);
    const leave = first.cluster.broadcast.subscribe('keys', listener);
    first.cluster.broadcast.subscribe('keys', listener);
    leave();
    await second.cluster.broadcast.publish('keys', 'once');
    await vi.waitFor(() => expect(heard).toEqual(['once']), 10_000);
  });
}
