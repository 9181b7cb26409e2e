import { connectFakeModule, measureRunningTime, startFaultProxy, startRedis } from '@tabletop-relay/testing';
import type { FakeModule } from '@tabletop-relay/testing';
import { createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing } from '@tabletop-relay/testing/scenes';
import { expect, it, onTestFinished } from 'vitest';
import { startInstances } from '../instances.ts';

const crowd = 20;

it('worlds of a shard that answers connect at once, though a crowd waits for one that is silent', async () => {
  const servers = await Promise.all([startRedis(), startRedis()]);
  const network = await startFaultProxy(servers[0].port);
  const cluster = await startInstances({
    redis: [`redis://127.0.0.1:${network.port}`, servers[1].url],
    config: { admissionsRunning: 2 },
  });
  onTestFinished(async () => {
    network.heal();
    await cluster.stop();
    await network.close();
    await Promise.all(servers.map((server) => server.stop()));
  });
  const [instance] = cluster.instances;
  const account = await createAccount(instance.url);
  const pairings: Pairing[] = [];
  while (pairings.length < 2 * crowd) pairings.push(await account.pair());
  network.blackHole();
  await expect.poll(() => instance.cluster.health().state).toBe('degraded');
  const found = await Promise.allSettled(
    pairings.map(({ clientId }) => instance.cluster.directory.find([clientId])),
  );
  const silent = pairings.filter((_pairing, index) => found[index]?.status === 'rejected');
  const other = pairings.find((pairing) => !silent.includes(pairing)) as Pairing;
  const waiting: FakeModule[] = [];
  for (const pairing of silent) waiting.push(await connectFakeModule({ url: instance.url, ...pairing }));
  const held = () => cluster.logs.filter(({ msg }) => msg === 'module is held').length;
  await expect.poll(held, { timeout: 20_000 }).toBe(silent.length);

  const ranMs = measureRunningTime();
  const module = await connectFakeModule({ url: instance.url, ...other });
  await module.next('auth-success', 20_000);
  expect(ranMs()).toBeLessThan(500);

  network.heal();
  await Promise.all(waiting.map((one) => one.next('auth-success', 20_000)));
  await Promise.all([module, ...waiting].map((one) => one.close()));
}, 60_000);
