import { createRandom, measureRunningTime } from '@tabletop-relay/testing';
import type { FakeModule, WireFrame } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { Pool } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let cluster: TestInstances;
let account: TestAccount;
let key: string;

beforeAll(async () => {
  cluster = await startInstances({ count: 2 });
  account = await createAccount(cluster.instances[0].url);
  key = await account.createKey();
});
afterAll(() => cluster.stop());

const skillCheck = (
  url: string,
  clientId: string,
  apiKey: string,
  body: object = { actorUuid: 'Actor.a', skill: 'prc' },
) => call(url, 'POST', `/sys5e/skill-check?clientId=${clientId}`, { body, headers: { 'x-api-key': apiKey } });

describe('a call', () => {
  it('goes down the world’s socket and its answer comes back as it was sent, from the owner and from another instance', async () => {
    const pairing = await account.pair();
    const [first, second] = cluster.instances;
    const module = await connectModule(first.url, pairing, (command) =>
      command.type === 'skill-check'
        ? { data: { total: 19, skill: command['skill'] }, extra: 'Ærg 龍 🎲' }
        : undefined,
    );
    for (const { url } of [first, second as typeof first]) {
      const answer = await skillCheck(url, pairing.clientId, key);
      expect(answer.body).toEqual({
        type: 'skill-check-result',
        requestId: expect.stringMatching(/^skill-check_\d{13}$/) as unknown,
        data: { total: 19, skill: 'prc' },
        extra: 'Ærg 龍 🎲',
      });
      expect(answer.status).toBe(200);
    }
    await module.close();
  });

  it('never reaches another’s caller: 10,000 equal calls, answered in any order, each get their own number', async () => {
    const pairing = await account.pair();
    const [{ url }] = cluster.instances;
    const batchSize = 100;
    const module = await connectModule(url, pairing);
    answerInAnyOrder(module, batchSize);
    const other = await account.createKey();
    const pool = new Pool(url, { connections: batchSize });
    const path = `/sys5e/skill-check?clientId=${pairing.clientId}`;
    const ask = async (apiKey: string, number: number) => {
      const { body } = await pool.request({
        method: 'POST',
        path,
        headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
        body: `{"actorUuid":"Actor.${number}","skill":"prc"}`,
      });
      const answer = (await body.json()) as { data: { actorUuid: string } };
      return answer.data.actorUuid === `Actor.${number}`;
    };
    // Only a few calls are sent before the first reply to their operation.
    expect(await ask(key, 10_000)).toBe(true);
    let wrong = 0;
    for (let batch = 0; batch < 100; batch++) {
      const calls = Array.from({ length: batchSize }, (_, index) =>
        ask(index % 2 ? key : other, batch * batchSize + index),
      );
      for (const right of await Promise.all(calls)) if (!right) wrong++;
    }
    expect(wrong).toBe(0);
    const ids = module.received.map((frame) => frame['requestId']).filter(Boolean);
    expect(new Set(ids).size).toBe(10_001);
    await pool.close();
    await module.close();
  }, 60_000);

  it('fails within 100 ms when its world closes in mid-call', async () => {
    const pairing = await account.pair();
    const [{ url }] = cluster.instances;
    const module = await connectModule(url, pairing);
    const answer = skillCheck(url, pairing.clientId, key);
    await module.next('skill-check');
    const ranMs = measureRunningTime();
    module.cut();
    const { status, body } = await answer;
    expect(ranMs()).toBeLessThan(100);
    expect(status).toBe(502);
    expect(body).toMatchObject({ code: 'client_lost', outcome: 'unknown', retryable: false });
    expect(body['requestId']).toMatch(/^skill-check_/);
  });

  it('drops and counts a late reply', async () => {
    const pairing = await account.pair();
    const [{ url, registry }] = cluster.instances;
    const module = await connectModule(url, pairing);
    const hangUp = new AbortController();
    const answer = call(url, 'POST', `/sys5e/skill-check?clientId=${pairing.clientId}`, {
      body: { actorUuid: 'Actor.a', skill: 'prc' },
      headers: { 'x-api-key': key },
      signal: hangUp.signal,
    });
    const command = await module.next('skill-check');
    hangUp.abort();
    await expect(answer).rejects.toThrow('aborted');
    const cancelled = await module.next('cancel');
    expect(cancelled['requestId']).toBe(command['requestId']);
    const dropped = async () =>
      (await registry.getSingleMetric('relay_replies_dropped_total')?.get())?.values[0]?.value ?? 0;
    const before = await dropped();
    module.send({ type: 'skill-check-result', requestId: command['requestId'], data: {} });
    await expect.poll(dropped).toBe(before + 1);
    await module.close();
  });
});

/** Answers the first command alone. Then, once all calls of a batch wait, answers them in an order that the seed decides. */
function answerInAnyOrder(module: FakeModule, batchSize: number): void {
  const random = createRandom(8);
  let waiting: WireFrame[] = [];
  let due = 1;
  module.socket.on('message', () => {
    const command = module.received.at(-1);
    if (command?.type !== 'skill-check' || waiting.push(command) < due) return;
    for (const { requestId, actorUuid } of random.shuffle(waiting))
      module.send({ type: 'skill-check-result', requestId, data: { actorUuid } });
    waiting = [];
    due = batchSize;
  });
}
