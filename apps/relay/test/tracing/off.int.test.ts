import { startRedis } from '@tabletop-relay/testing';
import type { TestRedis } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { Session } from 'node:inspector/promises';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { connectAsking } from '../remote/asking-module.ts';

const ofTraces = /\/apps\/relay\/src\/(?:tracing\/|http\/trace-calls\.ts)|@opentelemetry\//;
const router = /\/apps\/relay\/src\/calls\/router\.ts/;

let redis: TestRedis;
let relays: TestInstances;
let account: TestAccount;
beforeAll(async () => {
  redis = await startRedis();
  relays = await startInstances({ count: 2, redis: [redis.url] });
  account = await createAccount(relays.instances[0].url);
});
afterAll(async () => {
  await relays.stop();
  await redis.stop();
});

/** A world whose module answers everything. */
async function connect(url: string): Promise<string> {
  const pairing = await account.pair();
  const module = await connectModule(url, pairing, () => ({ data: {} }));
  onTestFinished(() => module.cut());
  return pairing.clientId;
}

/** Node's debugger, in this process, where the instances are. */
function openDebugger(): Session {
  const session = new Session();
  session.connect();
  onTestFinished(() => session.disconnect());
  return session;
}

/** The functions that V8 ran meanwhile, as `<file>: <name>`. */
async function functionsRunIn(run: () => Promise<void>): Promise<string[]> {
  const session = openDebugger();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await run();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result.flatMap(({ url, functions }) =>
    functions
      .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
      .map(({ functionName }) => `${url}: ${functionName}`),
  );
}

it('where no collector is set, no function of traces runs in a call, whichever way it takes and however it ends', async () => {
  const [first, second] = relays.instances.map(({ url }) => url) as [string, string];
  const [here, there] = [await connect(first), await connect(second)];
  const headers = {
    'x-api-key': await account.createKey(),
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  };
  const asking = await connectAsking(account, first, {
    allowedTargetClients: [there],
    remoteScopes: ['roll:execute'],
  });
  onTestFinished(() => asking.module.cut());
  const body = { actorUuid: 'Actor.a', skill: 'prc' };

  const statuses: number[] = [];
  const run = await functionsRunIn(async () => {
    for (const clientId of [here, there, 'nobody']) {
      const path = `/sys5e/skill-check?clientId=${clientId}`;
      statuses.push((await call(first, 'POST', path, { body, headers })).status);
    }
    const asked = { targetClientId: there, action: 'skill-check', payload: body };
    expect(await asking.ask(asked)).toMatchObject({ success: true });
  });

  expect(statuses).toEqual([200, 200, 404]);
  // What V8 tells is of these instances: the calls went through their routers.
  expect(run.filter((one) => router.test(one)).map((one) => one.split(': ')[1])).toEqual(
    expect.arrayContaining(['callOnSocket', 'callOverBus', 'callFromBus']),
  );
  expect(run.filter((one) => ofTraces.test(one))).toEqual([]);
});

it('where no collector is set, the SDK of OpenTelemetry is not even loaded', async () => {
  const session = openDebugger();
  const loaded: string[] = [];
  session.on('Debugger.scriptParsed', ({ params: { url } }) => loaded.push(url));
  // Tells of all scripts that were loaded before, too.
  await session.post('Debugger.enable');
  expect(loaded.some((url) => router.test(url))).toBe(true);
  // The API alone comes with the library for metrics.
  expect(loaded.filter((url) => /@opentelemetry\/(?!api\/)/.test(url))).toEqual([]);
});
