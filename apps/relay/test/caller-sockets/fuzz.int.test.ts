import { callerCloseCodes, callerFrames, operations } from '@tabletop-relay/contract';
import { connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBystander } from '../bystander.ts';
import type { Bystander } from '../bystander.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { connectCaller } from './caller.ts';

let cluster: TestInstances;
let url: string;
let account: TestAccount;
let key: string;
let pairing: Pairing;
let module: Awaited<ReturnType<typeof connectModule>>;
let bystander: Bystander;

beforeAll(async () => {
  cluster = await startInstances({ config: { streamsPerKey: 1_000, streamsPerAccount: 1_000 } });
  [{ url }] = cluster.instances;
  account = await createAccount(url);
  key = await account.createKey();
  pairing = await account.pair();
  module = await connectModule(url, pairing, () => ({ data: {} }));
  bystander = await createBystander(url);
});
afterAll(async () => {
  await bystander.close();
  await module.close();
  await cluster.stop();
});

const complaints = () => cluster.logs.filter(({ level }) => Number(level) >= 40);

const types = [...Object.keys(callerFrames), ...operations.map(({ name }) => name)];
const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom('', '__proto__', 'constructor', 'chat', 'a'.repeat(200), '\u0000', '\ud800', -1, 1e308),
);
const message = fc.record(
  {
    type: fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...types) }, odd),
    requestId: fc.oneof({ weight: 3, arbitrary: fc.uuid() }, odd),
    clientId: odd, userId: odd, idempotencyKey: odd, traceparent: odd, channel: fc.oneof(fc.constantFrom('chat', 'roll-events'), odd),
    filters: odd, lastEventId: odd, subscriptionId: odd, uuid: odd, data: odd, token: odd,
  },
  { requiredKeys: ['type'] },
); // prettier-ignore
const text = fc.oneof(
  { weight: 8, arbitrary: message.map((value) => JSON.stringify(value)) },
  fc.string(),
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc.constantFrom('{"__proto__":1,"type":"ping"}', '{"type":"ping","type":"auth"}', '['.repeat(50_000), '{"type":"players","requestId":"r"'),
); // prettier-ignore

it('whatever is sent, each call is answered once, nothing of ours fails, and nobody else is harmed', async () => {
  const codes = Object.values(callerCloseCodes).map(({ code }) => code as number);
  const property = fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 25 }), async (texts) => {
    await bystander.begin();
    const caller = await connectCaller(url, key, { query: `?clientId=${pairing.clientId}` });
    for (const one of texts) caller.send(one);
    const end = await Promise.race([caller.ask({ type: 'ping' }).catch(() => undefined), caller.closed]);
    const isClosed = !end || 'code' in end;
    expect([...codes, undefined]).toContain(isClosed ? (await caller.closed).code : undefined);
    const problems = caller.told.flatMap(({ problem }) =>
      problem ? [(problem as { code: string }).code] : [],
    );
    expect(problems).not.toContain('internal');
    const asked = caller.told
      .filter(({ type }) => type.endsWith('-result'))
      .map(({ requestId }) => requestId);
    expect(new Set(asked).size).toBe(asked.length);
    await caller.close();
    await bystander.expectUnharmed();
    expect(complaints()).toEqual([]);
  });
  await fc.assert(property, { numRuns: 150, interruptAfterTimeLimit: 15_000, markInterruptAsFailure: false });
}, 60_000);
