import { expect, it } from 'vitest';
import { askRedis, postgresAway, StoreAway } from './ask-store.ts';

const ask = (said: Error) => askRedis('REDIS_URL', () => Promise.reject(said)).catch((told: unknown) => told);

it('a Redis that was not reached is told with what to do', async () => {
  const told = await ask(new Error('Connection is closed.'));
  expect(told).toBeInstanceOf(StoreAway);
  expect(told).toHaveProperty(
    'message',
    expect.stringMatching(/^Redis \(REDIS_URL\): Connection is closed\. Make/),
  );
});

it('a role without rights is told in one line with what to do', () => {
  const said = Object.assign(new Error('permission denied for table accounts'), { code: '42501' });
  expect(postgresAway(said)?.message).toMatch(
    /^Postgres \(DATABASE_URL\): permission denied for table accounts\. Run `pnpm migrate`[^\n]*$/,
  );
});

it.each([
  Object.assign(new Error('Job 7 is not in the failed state. reprocessJob'), { code: -3 }),
  new TypeError('job.retry is not a function'),
])('what Redis answered of a job, and a bug, are no Redis that is away: %s', async (error) => {
  expect(await ask(error)).toBe(error);
});
