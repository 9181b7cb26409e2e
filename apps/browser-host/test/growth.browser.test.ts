import { browserBytes } from '@tabletop-relay/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { liveSessions } from './live-sessions.ts';
import { startRig } from './rig.ts';
import type { Rig } from './rig.ts';

const inARow = 20;

let rig: Rig;
beforeAll(async () => void (rig = await startRig()));
afterAll(() => rig.stop());

/** In `pnpm test:slow`, because twenty starts take more than a minute. */
it('twenty sessions in a row leave nothing behind', { timeout: 600_000 }, async () => {
  await rig.startHost();
  const world = await rig.startWorld();
  const live = liveSessions(rig);
  let early = 0;
  for (let index = 0; index < inARow; index++) {
    const { sessionId } = await live.start(world);
    await rig.sessions.end(sessionId);
    if (index === 4) early = browserBytes();
  }
  expect(browserBytes()).toBeLessThan(early * 1.3);
  const { db } = rig.cluster;
  expect(await db.selectFrom('connectionTokens').select('id').execute()).toEqual([]);
  expect(await db.selectFrom('knownClients').select('clientId').execute()).toHaveLength(1);
  const left = await db
    .selectFrom('headlessSessions')
    .select('state')
    .where('sealKey', 'is not', null)
    .execute();
  expect(left).toEqual([]);
});
