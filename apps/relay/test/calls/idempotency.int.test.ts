import { createModule, memoryStorage } from '@tabletop-relay/module-sdk';
import type { TabletopModule } from '@tabletop-relay/module-sdk';
import type { WireFrame } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drivers, startTwo } from '../drivers.ts';
import type { TwoInstances } from '../drivers.ts';
import { connectAsking, readRemoteLog } from '../remote/asking-module.ts';

describe.each(drivers)('a command with an idempotency key, over %s', (driver) => {
  let two: TwoInstances;
  let account: TestAccount;
  let apiKey: string;
  beforeAll(async () => {
    two = await startTwo(driver, { config: { callTimeoutMs: 1_000 } });
    account = await createAccount(two.first.url);
    apiKey = await account.createKey();
  });
  afterAll(() => two.stop());

  const checkOf =
    (clientId: string) =>
    (
      key: string | undefined,
      { skill = 'prc', with: by = apiKey, at = two.second.url, ...more }: Record<string, string> = {},
    ) =>
      call(at, 'POST', `/sys5e/skill-check?clientId=${clientId}`, {
        body: { actorUuid: 'Actor.a', skill, ...more },
        headers: { 'x-api-key': by, ...(key === undefined ? {} : { 'idempotency-key': key }) },
      });

  /** A world of the first instance, and calls to it over the second, where not told otherwise. */
  async function openWorld(answer: (command: WireFrame) => object | undefined) {
    const { clientId, ...pairing } = await account.pair();
    let carriedOut = 0;
    const module = await connectModule(two.first.url, { clientId, ...pairing }, (command) => {
      if (command.type !== 'skill-check') return undefined;
      carriedOut++;
      return answer(command);
    });
    return {
      clientId,
      module,
      carriedOut: () => carriedOut,
      check: checkOf(clientId),
    };
  }

  it('runs once however often it is asked for at once, and each repeat gets the first answer', async () => {
    let total = 0;
    const world = await openWorld(() => ({ data: { total: ++total } }));
    const key = randomUUID();
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        world.check(key, { at: index % 2 ? two.first.url : two.second.url }),
      ),
    );
    expect(world.carriedOut()).toBe(1);
    const codes = new Set(all.map(({ status, body }) => (status === 200 ? 200 : body['code'])));
    for (const code of codes) expect([200, 'idempotency_running']).toContain(code);
    const running = all
      .filter(({ status }) => status === 409)
      .map(({ headers, body }) => [body['retryable'], body['outcome'], headers.get('retry-after')]);
    expect(running).toEqual(running.map(() => [true, 'not_sent', '1']));
    const first = all.find(({ status, headers }) => status === 200 && !headers.get('idempotency-replayed'));
    const repeat = await world.check(`"${key}"`);
    expect(repeat.body).toEqual(first?.body);
    expect(repeat.headers.get('idempotency-replayed')).toBe('true');
    const log = async () => (await account.as('GET', `/auth/calls?client=${world.clientId}`)).body['items'];
    await expect.poll(log).toContainEqual(expect.objectContaining({ status: 200, replayed: true }));
    expect((await world.check(randomUUID())).body).toMatchObject({ data: { total: 2 } });
    await world.module.close();
    // What is known of it is told while the world is away, too.
    expect((await world.check(key)).body).toEqual(first?.body);
    expect(await world.check(randomUUID())).toMatchObject({ status: 404, body: { code: 'client_offline' } });
  });

  it('gets the world’s refusal again, and is sent again where it was not sent', async () => {
    const world = await openWorld(() => ({ error: 'No such actor', code: 'entity_not_found' }));
    const key = randomUUID();
    const refused = await world.check(key);
    const again = await world.check(key);
    expect([refused.status, again.status]).toEqual([422, 422]);
    expect(again.body).toMatchObject({ code: 'operation_failed', reason: 'entity_not_found' });
    expect(again.body['requestId']).toBe(refused.body['requestId']);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(world.carriedOut()).toBe(1);
    await world.module.close();

    await expect.poll(async () => (await world.check(randomUUID())).body['code']).toBe('client_offline');
    const next = randomUUID();
    expect((await world.check(next)).body['code']).toBe('client_offline');
    expect((await world.check(next)).body['code']).toBe('client_offline');
  });

  it('is never sent again after its outcome was unknown, nor with the answer of a caller that hung up lost', async () => {
    const world = await openWorld(() => undefined);
    const key = randomUUID();
    expect((await world.check(key)).body).toMatchObject({ code: 'client_timeout', outcome: 'unknown' });
    const repeat = await world.check(key);
    expect(repeat.status).toBe(409);
    expect(repeat.body).toMatchObject({ code: 'outcome_unknown', outcome: 'unknown', retryable: false });
    expect(world.carriedOut()).toBe(1);
    await world.module.close();

    const { clientId, ...pairing } = await account.pair();
    const slow = await connectModule(two.first.url, { clientId, ...pairing });
    const leave = new AbortController();
    const options = {
      body: { actorUuid: 'Actor.a', skill: 'prc' },
      headers: { 'x-api-key': apiKey, 'idempotency-key': key },
    };
    const path = `/sys5e/skill-check?clientId=${clientId}`;
    const left = call(two.second.url, 'POST', path, { ...options, signal: leave.signal });
    const { requestId } = await slow.next('skill-check');
    leave.abort();
    await expect(left).rejects.toThrow('aborted');
    slow.send({ type: 'skill-check-result', requestId, data: { total: 7 } });
    await expect
      .poll(() => call(two.first.url, 'POST', path, options))
      .toMatchObject({ status: 200, body: { data: { total: 7 } } });
    expect(slow.count('skill-check')).toBe(1);
    expect(slow.count('cancel')).toBe(0);
    await slow.close();
  });

  /** A world in a browser whose module remembers; each `load` of its page is another memory. */
  async function openRemembering() {
    const { clientId, token } = await account.pair();
    const running: PromiseWithResolvers<void>[] = [];
    const sockets: WebSocket[] = [];
    class Watched extends WebSocket {
      constructor(...given: ConstructorParameters<typeof WebSocket>) {
        super(...given);
        sockets.push(this);
      }
    }
    let page: TabletopModule | undefined;
    const world = { worldId: 'w', worldTitle: 'w', tabletopVersion: '13', systemId: 'dnd5e' };
    const load = async () => {
      page?.close();
      page = createModule({
        world: { ...world, systemTitle: '', systemVersion: '' },
        storage: memoryStorage({ clientId, connectionToken: token }),
        url: two.first.url,
        WebSocket: Watched,
        handlers: {
          async 'skill-check'({ actorUuid, skill }) {
            running.push(Promise.withResolvers());
            await running.at(-1)?.promise;
            return { data: { actorUuid, skill, total: running.length, formula: '', result: '' } };
          },
        },
      });
      await page.connect();
    };
    await load();
    return {
      check: checkOf(clientId),
      load,
      close: () => page?.close(),
      carriedOut: () => running.length,
      /** What runs comes to its end. */
      finish: () => running.at(-1)?.resolve(),
      /** The line breaks, and the page connects anew. */
      breakLine: () => sockets.at(-1)?.close(),
    };
  }

  it('is answered after an unknown outcome by the module that remembers it, be it done or still running', async () => {
    const world = await openRemembering();
    const key = randomUUID();
    expect((await world.check(key)).body).toMatchObject({ code: 'client_timeout', outcome: 'unknown' });
    // Of all who repeat it one asks the world.
    const all = Promise.all([world.check(key), world.check(key, { at: two.first.url })]);
    await expect
      .poll(async () => (await world.check(key)).body)
      .toMatchObject({ code: 'idempotency_running' });
    world.finish();
    const answers = (await all).map(({ status, body }) => (status === 200 ? body['data'] : body['code']));
    expect(answers).toContainEqual(expect.objectContaining({ total: 1 }));
    expect((await world.check(key)).headers.get('idempotency-replayed')).toBe('true');
    expect(world.carriedOut()).toBe(1);

    const next = randomUUID();
    const lost = world.check(next);
    await expect.poll(world.carriedOut).toBe(2);
    world.breakLine();
    expect((await lost).body).toMatchObject({ code: 'client_lost', outcome: 'unknown' });
    world.finish();
    await expect.poll(() => world.check(next)).toMatchObject({ status: 200, body: { data: { total: 2 } } });
    expect(world.carriedOut()).toBe(2);
    world.close();
  });

  it('stays unknown for ever where the page was loaded anew, and as long as the world is away', async () => {
    const world = await openRemembering();
    const key = randomUUID();
    expect((await world.check(key)).body['code']).toBe('client_timeout');
    world.close();
    await expect
      .poll(() => world.check(key))
      .toMatchObject({ status: 409, body: { code: 'outcome_unknown', outcome: 'unknown', retryable: true } });
    await world.load();
    await expect
      .poll(() => world.check(key))
      .toMatchObject({
        status: 409,
        body: { code: 'outcome_unknown', outcome: 'unknown', retryable: false },
      });
    expect(world.carriedOut()).toBe(1);
    world.close();
  });

  it('between worlds is told the same, by a key in the request', async () => {
    const world = await openWorld(({ skill }) => (skill === 'acr' ? undefined : { data: { total: 3 } }));
    const source = await connectAsking(account, two.second.url, {
      allowedTargetClients: [world.clientId],
      remoteScopes: ['roll:execute'],
    });
    const ask = (idempotencyKey: unknown, skill = 'prc') =>
      source.ask({
        targetClientId: world.clientId,
        action: 'skill-check',
        payload: { actorUuid: 'Actor.a', skill },
        idempotencyKey,
      });
    const [first, again] = [await ask('k'), await ask('k')];
    expect(first).toMatchObject({ success: true, data: { data: { total: 3 } } });
    expect(first).not.toHaveProperty('replayed');
    expect(again).toMatchObject({ ...first, requestId: again['requestId'], replayed: true });
    expect(world.carriedOut()).toBe(1);
    expect(await ask('k', 'ath')).toMatchObject({ code: 'idempotency_key_reused', outcome: 'not_sent' });
    const running = ask('slow', 'acr');
    await expect.poll(world.carriedOut).toBe(2);
    expect(await ask('slow', 'acr')).toMatchObject({ code: 'idempotency_running', retryAfterMs: 1_000 });
    expect(await running).toMatchObject({ code: 'client_timeout', outcome: 'unknown' });
    expect(await ask('slow', 'acr')).toMatchObject({ code: 'outcome_unknown', retryable: false });
    expect(await ask(7)).toMatchObject({ errors: [{ field: 'idempotencyKey' }] });
    expect(world.carriedOut()).toBe(2);
    const logged = async () => JSON.stringify(await readRemoteLog(account));
    await expect.poll(logged).toContain('outcome_unknown');
    await source.module.close();
    await world.module.close();
  });

  it('is told apart by key, world and user: another command under its key is refused', async () => {
    const world = await openWorld(() => ({ data: {} }));
    const key = randomUUID();
    expect((await world.check(key)).status).toBe(200);
    const others = [{ skill: 'acr' }, { userId: 'user' }, { bonus: '1' }];
    for (const other of others) {
      const refused = await world.check(key, other);
      expect(refused.status).toBe(422);
      expect(refused.body).toMatchObject({
        code: 'idempotency_key_reused',
        outcome: 'not_sent',
        retryable: false,
      });
    }
    expect(world.carriedOut()).toBe(1);
    const own = await account.createKey();
    expect((await world.check(key, { with: own })).headers.get('idempotency-replayed')).toBeNull();
    expect(world.carriedOut()).toBe(2);
    await world.module.close();
  });

  it('is refused with a key that is not well-formed', async () => {
    const world = await openWorld(() => ({ data: {} }));
    for (const key of ['', 'ü', 'x'.repeat(256), '""']) {
      const refused = await world.check(key);
      expect(refused.body).toMatchObject({ code: 'invalid_request', errors: [{ field: 'idempotency-key' }] });
    }
    expect(world.carriedOut()).toBe(0);
    expect((await world.check('x'.repeat(255))).status).toBe(200);
    await world.module.close();
  });

  it('passes the checks of a call at each repeat, and costs none of the month', async () => {
    const world = await openWorld(() => ({ data: {} }));
    const limited = await account.createKey({ monthlyLimit: 1 });
    const key = randomUUID();
    const check = (name = key) => world.check(name, { with: limited });
    expect((await check()).status).toBe(200);
    for (let repeat = 0; repeat < 3; repeat++) expect((await check()).status).toBe(200);
    expect((await check(randomUUID())).body['code']).toBe('monthly_limit_reached');
    await account.as('POST', `/auth/known-clients/${world.clientId}/pause`);
    const paused = await check();
    expect(paused).toMatchObject({ status: 403, body: { code: 'paused' } });
    await account.as('POST', `/auth/known-clients/${world.clientId}/resume`);
    await expect.poll(async () => (await check()).status).toBe(200);
    expect(world.carriedOut()).toBe(1);
    await world.module.close();
  });

  it('is told that it was done where its answer is too large to keep', async () => {
    const world = await openWorld(() => ({ data: { text: 'x'.repeat(70_000) } }));
    const key = randomUUID();
    expect((await world.check(key)).status).toBe(200);
    const repeat = await world.check(key);
    expect(repeat).toMatchObject({ status: 409, body: { code: 'already_done', retryable: false } });
    expect(repeat.body).not.toHaveProperty('outcome');
    expect(world.carriedOut()).toBe(1);
    await world.module.close();
  });

  if (driver === 'redis') onRedis();

  function onRedis(): void {
    const kept = async () => {
      const redis = new Redis(two.redis!.url);
      const names = await redis.hkeys(`r:once:${account.accountId}`);
      const all = JSON.stringify(await redis.hgetall(`r:once:${account.accountId}`));
      redis.disconnect();
      return { names, all };
    };

    it('is kept sealed, and forgotten with its key, its world and its account', async () => {
      const world = await openWorld(() => ({ data: { word: 'plainly-to-be-read' } }));
      const made = await account.as('POST', '/auth/api-keys', { name: 'k', scopes: ['roll:execute'] });
      const { id, key: own } = made.body as { id: string; key: string };
      expect((await world.check('a-key-of-mine', { with: own })).status).toBe(200);
      expect((await world.check('a-key-of-mine')).status).toBe(200);
      const { names, all } = await kept();
      expect(names.filter((name) => name.includes(world.clientId))).toHaveLength(2);
      for (const text of ['plainly-to-be-read', 'a-key-of-mine', 'skill-check'])
        expect(all).not.toContain(text);
      await account.as('DELETE', `/auth/api-keys/${id}`);
      await expect.poll(async () => (await kept()).all).not.toContain(id);
      expect((await kept()).all).toContain(world.clientId);
      await account.as('DELETE', `/auth/known-clients/${world.clientId}`);
      await expect.poll(async () => (await kept()).all).not.toContain(world.clientId);
      const other = await createAccount(two.first.url);
      const pairing = await other.pair();
      const module = await connectModule(two.first.url, pairing, () => ({ data: {} }));
      const path = `/sys5e/skill-check?clientId=${pairing.clientId}`;
      const headers = { 'x-api-key': other.masterKey, 'idempotency-key': 'a' };
      await call(two.first.url, 'POST', path, { body: { actorUuid: 'Actor.a', skill: 'prc' }, headers });
      const redis = new Redis(two.redis!.url);
      const isKept = () => redis.hlen(`r:once:${other.accountId}`);
      expect(await isKept()).toBeGreaterThan(1);
      const gone = await other.as('DELETE', '/auth/account', { password: other.password });
      expect(gone.status).toBe(200);
      await expect
        .poll(async () => (await redis.hkeys(`r:once:${other.accountId}`)).filter((n) => n !== '/'))
        .toEqual([]);
      redis.disconnect();
      await module.closed;
    });

    it('is not sent twice by a socket whose commands Redis has lost, and is answered by the module that remembers', async () => {
      const [plain, remembering] = [await openWorld(() => ({ data: {} })), await openRemembering()];
      const [first, second] = [randomUUID(), randomUUID()];
      expect((await plain.check(first)).status).toBe(200);
      const answered = remembering.check(second);
      await expect.poll(remembering.carriedOut).toBe(1);
      remembering.finish();
      expect((await answered).status).toBe(200);
      const redis = new Redis(two.redis!.url);
      await redis.del(`r:once:${account.accountId}`, `r:once-until:${account.accountId}`);
      redis.disconnect();
      expect(await plain.check(first)).toMatchObject({ status: 409, body: { code: 'outcome_unknown' } });
      expect((await remembering.check(second)).body).toMatchObject({ data: { total: 1 } });
      expect([plain.carriedOut(), remembering.carriedOut()]).toEqual([1, 1]);
      await plain.module.close();
      remembering.close();
    });

    it('asks Redis twice, and without a key not at all', async () => {
      const world = await openWorld(() => ({ data: {} }));
      const redis = new Redis(two.redis!.url);
      // Redis gets a script's text once.
      expect((await world.check(randomUUID())).status).toBe(200);
      const monitor = await redis.monitor();
      const asked: string[] = [];
      monitor.on('monitor', (_time: string, [name = '', ...args]: string[]) => {
        if (name.startsWith('eval') && args.some((arg) => arg.startsWith('r:once:'))) asked.push(name);
      });
      expect((await world.check(undefined)).status).toBe(200);
      expect((await world.check(randomUUID())).status).toBe(200);
      await expect.poll(() => asked).toEqual(['evalsha', 'evalsha']);
      monitor.disconnect();
      redis.disconnect();
      await world.module.close();
    });

    it('is not sent while Redis is away', async () => {
      const world = await openWorld(() => ({ data: {} }));
      await two.redis!.stop();
      const refused = await world.check('x', { at: two.first.url });
      expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable', outcome: 'not_sent' } });
      expect(world.carriedOut()).toBe(0);
      await world.module.close();
    });
  }
});
