import { createRedisShortLived } from '@tabletop-relay/headless';
import { waitFor } from '@tabletop-relay/testing';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { BrowserHost, BrowserHostOptions } from '../src/index.ts';
import { liveSessions, soon } from './live-sessions.ts';
import type { LiveSessions } from './live-sessions.ts';
import { browserPid, startHostProcess } from './processes.ts';
import { startRig } from './rig.ts';
import type { Rig } from './rig.ts';

let rig: Rig;
let live: LiveSessions;
beforeAll(async () => {
  rig = await startRig();
  live = liveSessions(rig);
});
afterAll(() => rig.stop());

/** The only one, until the test ends. */
async function startHost(options: Partial<BrowserHostOptions> = {}): Promise<BrowserHost> {
  const host = await rig.startHost({}, options);
  onTestFinished(() => host.stop());
  return host;
}

it('a browser that is killed is started again once, which is told, and the world is back', async () => {
  await startHost();
  const { sessionId, clientId } = await live.start(await rig.startWorld());
  process.kill(browserPid(), 'SIGKILL');
  await expect.poll(() => live.isOnline(clientId), soon).toBe(false);
  await expect.poll(() => live.isOnline(clientId), soon).toBe(true);
  expect(await live.rowOf(sessionId)).toMatchObject({
    state: 'active',
    run: 1,
    detail: expect.stringMatching(/^It was opened again, because/),
  });
  expect(rig.logs).toContainEqual(
    expect.objectContaining({ sessionId, msg: 'a headless session starts again' }),
  );
  process.kill(browserPid(), 'SIGKILL');
  await expect.poll(() => live.rowOf(sessionId), soon).toMatchObject({ state: 'failed' });
  expect((await live.rowOf(sessionId)).detail).toMatch(/started again once/);
});

it('a session that comes back where its cookies do not count fails at the log-in, and says so', async () => {
  await startHost();
  const { sessionId } = await live.start(await rig.startWorld());
  const kept = createRedisShortLived({ url: rig.redis.url });
  const sealed = await kept.take(`cookies:${sessionId}`);
  kept.close();
  expect(sealed).toMatch(/^[\w-]{100,}$/);
  expect(Buffer.from(sealed ?? '', 'base64url').toString('latin1')).not.toContain('localStorage');
  process.kill(browserPid(), 'SIGKILL');
  await expect.poll(() => live.rowOf(sessionId), soon).toMatchObject({ state: 'failed', stage: 'login' });
  expect((await live.rowOf(sessionId)).detail).toMatch(/asks for the password again/);
});

it('a session outlives the drain of its host, within 30 s, and the death of the next', async () => {
  const first = await startHost();
  const { sessionId, clientId } = await live.start(await rig.startWorld());
  const isBackBy = (run: number) => async () =>
    (await live.rowOf(sessionId)).run === run && (await live.isOnline(clientId));
  const second = startHostProcess(rig, 'quick');
  const begun = performance.now();
  await first.stop();
  await waitFor(isBackBy(2), { timeoutMs: 40_000 });
  expect(performance.now() - begun).toBeLessThan(30_000);

  await startHost({ lockMs: 4_000 });
  await second.end('SIGKILL');
  await waitFor(isBackBy(3), { timeoutMs: 40_000 });
  expect(await rig.sessions.list()).toMatchObject([{ sessionId, clientId, state: 'active' }]);
  expect((await live.skillCheck(clientId)).status).toBe(200);
  expect((await rig.sessions.end(sessionId)).status).toBe(200);
  expect(await live.rowOf(sessionId)).toMatchObject({ state: 'ended' });
});
