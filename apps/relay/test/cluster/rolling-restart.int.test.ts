import { createModule, memoryStorage } from '@tabletop-relay/module-sdk';
import type { TabletopModule } from '@tabletop-relay/module-sdk';
import { createTestDatabase, findFreePort, startRedis } from '@tabletop-relay/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, createAccount } from '../account.ts';
import type { TestAccount } from '../account.ts';
import { startBalancer } from '../balancer.ts';
import type { Balancer } from '../balancer.ts';
import { startRelayProcess } from '../process.ts';
import type { RelayProcess } from '../process.ts';

const worlds = 200;
const callers = 16;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let redis: Awaited<ReturnType<typeof startRedis>>;
let balancer: Balancer;
let relays: RelayProcess[];
let start: (index: number) => Promise<RelayProcess>;
let account: TestAccount;
const modules: TabletopModule[] = [];
const clientIds: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  redis = await startRedis();
  const ports = [await findFreePort(), await findFreePort(), await findFreePort()];
  start = (index) =>
    startRelayProcess({
      port: ports[index] as number,
      databaseUrl: database.url,
      redisUrl: redis.url,
      instanceId: `relay-${index + 1}`,
      env: { DRAIN_WAIT_MS: '1000', DRAIN_SPREAD_MS: '2000', DATABASE_POOL: '5' },
    });
  relays = [await start(0), await start(1), await start(2)];
  balancer = await startBalancer(ports);
  account = await createAccount(balancer.url);
  for (let index = 0; index < worlds; index++) {
    const { clientId, token } = await account.pair();
    clientIds.push(clientId);
    modules.push(connect(clientId, token));
  }
  await Promise.all(modules.map((module) => module.connect()));
}, 180_000);

afterAll(async () => {
  for (const module of modules) module.close();
  await Promise.all(relays.map((relay) => relay.end('SIGKILL')));
  await balancer.stop();
  await redis.stop();
  await database.drop();
});

it('a rolling restart loses no call but declared 503s, and every world is back', async () => {
  const key = await account.createKey();
  const answers = new Map<string, number>();
  const undeclared: unknown[] = [];
  let over = false;

  async function keepCalling(caller: number): Promise<void> {
    for (let turn = 0; !over; turn++) {
      const clientId = clientIds[(caller * 31 + turn * 7) % worlds] as string;
      const { status, headers, body } = await call(
        balancer.url,
        'POST',
        `/sys5e/skill-check?clientId=${clientId}`,
        {
          body: { actorUuid: clientId, skill: 'prc' },
          headers: { 'x-api-key': key },
        },
      );
      answers.set(String(status), (answers.get(String(status)) ?? 0) + 1);
      const isOwn = (body['data'] as { actorUuid?: string } | undefined)?.actorUuid === clientId;
      const isDeclared =
        status === 503 && headers.get('retry-after') !== null && body['outcome'] === 'not_sent';
      if (!(status === 200 && isOwn) && !isDeclared) undeclared.push({ status, body });
    }
  }

  const calling = Array.from({ length: callers }, (_, caller) => keepCalling(caller));
  try {
    for (let index = 0; index < relays.length; index++) {
      await relays[index]?.end('SIGTERM');
      relays[index] = await start(index);
    }
  } finally {
    over = true;
    await Promise.all(calling);
  }

  expect(undeclared).toEqual([]);
  expect(answers.get('200')).toBeGreaterThan(500);
  await expect
    .poll(
      async () => {
        const { body } = await call(balancer.url, 'GET', '/clients', { headers: { 'x-api-key': key } });
        return (body['clients'] as { isOnline: boolean }[]).filter(({ isOnline }) => isOnline).length;
      },
      { timeout: 20_000 },
    )
    .toBe(worlds);
}, 180_000);

function connect(clientId: string, token: string): TabletopModule {
  return createModule({
    world: {
      worldId: `world-${clientId}`,
      worldTitle: 'A world',
      tabletopVersion: '13',
      systemId: 'dnd5e',
      systemTitle: 'Fifth Edition',
      systemVersion: '5',
    },
    storage: memoryStorage({ clientId, pairedRelayUrl: balancer.url, connectionToken: token }),
    url: balancer.url,
    handlers: {
      'skill-check': ({ actorUuid, skill }) => ({
        data: { actorUuid, skill, total: 12, formula: '1d20', result: '12' },
      }),
    },
  });
}
