import type { FakeModule } from '@tabletop-relay/testing';
import { measureRunningTime } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Answer, Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { startTwo } from '../drivers.ts';
import type { TwoInstances } from '../drivers.ts';
import type { TestInstance } from '../instances.ts';

export const within = { timeout: 15_000, interval: 10 };
export const body = { actorUuid: 'Actor.a', skill: 'prc' };

/** Two instances over Redis, and an account with two worlds that answer at the first. */
export interface PausedWorlds {
  two: TwoInstances;
  account: TestAccount;
  world: Pairing;
  other: Pairing;
  module: FakeModule;
  otherModule: FakeModule;
  /** `POST /sys5e/skill-check`. */
  roll(key: string, at?: TestInstance, world?: Pairing): Promise<Answer>;
  newKey(terms?: object): Promise<{ id: string; key: string }>;
  pauseKey(id: string, what?: 'pause' | 'resume'): Promise<Answer>;
  pauseWorld(what?: 'pause' | 'resume', world?: Pairing): Promise<Answer>;
  /** Both instances answer so within a second. */
  expectSoon(ask: (at: TestInstance) => Promise<Answer>, expected: object): Promise<void>;
}

/** Starts them for all tests of a file; its parts are there as soon as they run. */
export function startPausedWorlds(): PausedWorlds {
  const started: PausedWorlds = {
    roll: (key, at = started.two.first, { clientId } = started.world) =>
      call(at.url, 'POST', `/sys5e/skill-check?clientId=${clientId}`, {
        body,
        headers: { 'x-api-key': key },
      }),
    async newKey(terms = {}) {
      const made = await started.account.as('POST', '/auth/api-keys', {
        name: 'bot',
        scopes: ['roll:execute', 'events:subscribe', 'clients:read', 'session:manage'],
        ...terms,
      });
      return { id: String(made.body['id']), key: String(made.body['apiKey']) };
    },
    pauseKey: (id, what = 'pause') => started.account.as('POST', `/auth/api-keys/${id}/${what}`),
    pauseWorld: (what = 'pause', { clientId } = started.world) =>
      started.account.as('POST', `/auth/known-clients/${clientId}/${what}`),
    async expectSoon(ask, expected) {
      const ranMs = measureRunningTime();
      await vi.waitFor(async () => {
        for (const at of [started.two.first, started.two.second])
          expect(await ask(at)).toMatchObject(expected);
      }, within);
      expect(ranMs()).toBeLessThan(1_500);
    },
  } as PausedWorlds;
  beforeAll(async () => {
    started.two = await startTwo('redis');
    const { url } = started.two.first;
    started.account = await createAccount(url);
    started.world = await started.account.pair();
    started.other = await started.account.pair();
    started.module = await connectModule(url, started.world, () => ({ data: {} }));
    started.otherModule = await connectModule(url, started.other, () => ({ data: {} }));
  });
  afterAll(async () => {
    await Promise.all([started.module.close(), started.otherModule.close()]);
    await started.two.stop();
  });
  return started;
}

export const sentTo = ({ received }: FakeModule) =>
  received.filter(({ type }) => type === 'skill-check').length;

export const refused = (of: 'key' | 'world', setIn = 'relay') => ({
  status: 403,
  body: {
    code: 'paused',
    outcome: 'not_sent',
    retryable: false,
    pause: { of, setIn, since: expect.stringMatching(/^\d{4}-.*Z$/) as string },
    detail: expect.stringContaining(
      setIn === 'relay' ? 'in the relay since' : 'in the tabletop since',
    ) as string,
  },
});
