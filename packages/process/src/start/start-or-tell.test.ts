import { expect, it, vi } from 'vitest';
import { reaching } from './cannot-start.ts';
import { startOrTell } from './start-or-tell.ts';

function rig(hasBegun = false) {
  const log = { fatal: vi.fn<(words: string) => void>() };
  const fail = vi.fn<(reason: string) => void>();
  return { log, fail, options: { log, shutdown: { fail, hasBegun: () => hasBegun } } };
}

const failing = (why: Error) => () => Promise.reject(why);

it.each([
  [
    'Redis that refuses',
    () => reaching('Redis', 'REDIS_URL', failing(new Error('connect ECONNREFUSED 10.0.0.5:6379'))),
    /Redis \(REDIS_URL\).*ECONNREFUSED.*Nothing listens there: start Redis/,
  ],
  [
    'Redis that never answers',
    () => reaching('Redis', 'JOBS_REDIS_URL', failing(new Error('no answer within 10 s'))),
    /JOBS_REDIS_URL.*no answer within 10 s. Make Redis reachable/,
  ],
  [
    'Redis that knows another list of shards',
    () => reaching('Redis', 'REDIS_URL', failing(new Error('another list of Redis shards is in use'))),
    /Give all instances the same REDIS_URL/,
  ],
  [
    'Postgres that refuses the password',
    () =>
      reaching(
        'Postgres',
        'DATABASE_URL',
        failing(Object.assign(new Error('password authentication failed'), { code: '28P01' })),
      ),
    /password authentication failed. Correct the password in DATABASE_URL/,
  ],
  [
    'Postgres that never answers',
    () =>
      reaching(
        'Postgres',
        'DATABASE_URL',
        failing(new Error('Connection terminated due to connection timeout')),
      ),
    /connection timeout. Make Postgres reachable from here/,
  ],
  [
    'a port that is in use',
    failing(Object.assign(new Error('listen'), { syscall: 'listen', code: 'EADDRINUSE', port: 3010 })),
    /port 3010 is in use; set PORT or OPS_PORT/,
  ],
])('%s ends the start with one line that names the cure', async (_case, start, words) => {
  const { log, fail, options } = rig();
  void startOrTell(options, start);
  await vi.waitFor(() => expect(fail).toHaveBeenCalledWith('did not start'));
  expect(log.fatal.mock.calls).toEqual([[expect.stringMatching(words)]]);
  expect(String(log.fatal.mock.calls[0]?.[0])).not.toMatch(/\n|\bat .*\.ts/);
});

it('a bug keeps its stack', async () => {
  const bug = new TypeError('x is undefined');
  const start = () => reaching('Redis', 'REDIS_URL', failing(bug));
  await expect(startOrTell(rig().options, start)).rejects.toBe(bug);
  const statement = Object.assign(new Error('syntax error'), { code: '42601' });
  const migrate = () => reaching('Postgres', 'DATABASE_URL', failing(statement));
  await expect(startOrTell(rig().options, migrate)).rejects.toBe(statement);
});

it.each([['gone'], [undefined], [null], [{ name: 'StartError', message: 'mend this' }]])(
  'what is no error ends the start as it is: %j',
  async (thrown) => {
    const { log, options } = rig();
    // oxlint-disable-next-line prefer-promise-reject-errors -- That is what is tried.
    await expect(startOrTell(options, () => Promise.reject(thrown))).rejects.toBe(thrown);
    expect(log.fatal).not.toHaveBeenCalled();
  },
);

it('a start that is stopped meanwhile tells nothing', async () => {
  const { log, fail, options } = rig(true);
  let asked = false;
  void startOrTell(options, () => {
    asked = true;
    return Promise.reject(Object.assign(new Error('stopped'), { name: 'StartError' }));
  });
  await vi.waitFor(() => expect(asked).toBe(true));
  expect([log.fatal.mock.calls, fail.mock.calls]).toEqual([[], []]);
});
