import { endpoints } from '@tabletop-relay/contract';
import { createTestDatabase, findFreePort } from '@tabletop-relay/testing';
import { expect, it, onTestFinished } from 'vitest';
import { startRelayProcess } from '../process.ts';

/** docs/performance.md says what it costs when this fails. */
it('a relay whose every endpoint was called still gives objects of one form one hidden class', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const relay = await startRelayProcess({
    port: await findFreePort(),
    databaseUrl: database.url,
    instanceId: 'shapes',
    env: {
      NODE_OPTIONS: `--import ${new URL('./report-shapes.ts', import.meta.url).href}`,
      DRAIN_WAIT_MS: '0',
      DRAIN_SPREAD_MS: '0',
      DRAIN_GRACE_MS: '0',
    },
  });
  onTestFinished(() => relay.end('SIGKILL').then(() => {}));
  for (const { method, path } of Object.values(endpoints)) {
    const body = method === 'GET' ? {} : { body: '{}', headers: { 'content-type': 'application/json' } };
    const answer = await fetch(`${relay.url}${path}`, { method, ...body });
    await answer.body?.cancel();
  }
  process.kill(relay.pid, 'SIGUSR2');
  expect(await relay.end('SIGTERM')).toContain('shapes are shared');
}, 90_000);
