import type { Broadcast } from '@tabletop-relay/cluster';
import type { Logger } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { createNotices as createNoticesOf } from './credential-feed.ts';
import type { CredentialEvent } from './credential-feed.ts';

const published: string[] = [];
const logged: string[] = [];
let canPublish = true;

beforeEach(() => {
  published.length = 0;
  logged.length = 0;
  canPublish = true;
});

const broadcast: Broadcast = {
  publish(_topic, message) {
    if (!canPublish) return Promise.reject(new Error('away'));
    published.push(message);
    return Promise.resolve();
  },
  subscribe: () => () => {},
  onGap: () => () => {},
};

function createNotices() {
  const note =
    (level: string) =>
    (...line: unknown[]) =>
      void logged.push(`${level} ${String(line.at(-1))}`);
  return createNoticesOf({
    broadcast,
    log: { info: note('info'), warn: note('warn') } as Pick<Logger, 'info' | 'warn'>,
    hear: () => {},
    polledAt: () => performance.now(),
    pollMs: 1_000,
    freshMs: 1_000,
    trustMs: 1_000,
  });
}

const changes = (count: number): CredentialEvent[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `event ${index}`,
    accountId: 'account',
    subject: 'key',
    subjectId: `key ${index}`,
    change: 'revoked',
  }));

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('what one poll learned', () => {
  it('is told in one message', () => {
    createNotices().publish(changes(500));
    expect(published.map((message) => JSON.parse(message) as unknown)).toEqual([changes(500)]);
  });

  it('is not told when it was nothing', () => {
    createNotices().publish([]);
    expect(published).toEqual([]);
  });

  it('is told as something missed where it is more, which is no fault', async () => {
    const notices = createNotices();
    notices.publish(changes(501));
    notices.publish(changes(501));
    expect(published).toEqual([]);
    notices.tick();
    await settle();
    notices.tick();
    expect(published).toEqual(['beat missed']);
    expect(logged).toEqual([
      'info too many changes of credentials at once to tell each of them',
      'info the instances were told that they missed a change of credentials',
    ]);
  });

  it('is told as something missed when Redis is back, and warns once', async () => {
    const notices = createNotices();
    canPublish = false;
    notices.publish(changes(1));
    await settle();
    notices.publish(changes(1));
    await settle();
    notices.tick();
    await settle();
    expect(published).toEqual([]);
    canPublish = true;
    notices.tick();
    await settle();
    notices.tick();
    expect(published).toEqual(['beat missed']);
    expect(logged).toEqual([
      'warn a change of credentials could not be told to the instances',
      'info the instances were told that they missed a change of credentials',
    ]);
  });
});
