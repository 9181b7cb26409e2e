import { connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import { describe, expect, it } from 'vitest';
import { expectProblem, send } from '../problem.ts';
import { goodCheck, startRelayWithWorld } from '../relay-with-world.ts';
import type { SkillCheck } from '../relay-with-world.ts';

const relay = startRelayWithWorld();

const fieldsOf = (body: Record<string, unknown>) =>
  (body['errors'] as { field: string }[]).map(({ field }) => field).sort();

describe('a world', () => {
  const named = (clientId: string, apiKey = relay.key) =>
    relay.skillCheck({ query: `clientId=${clientId}`, headers: { 'x-api-key': apiKey } });

  it('that is unknown, another account’s or outside the key’s restriction is the same 404', async () => {
    const stranger = await createAccount(relay.url);
    const theirs = await stranger.pair();
    const theirModule = await connectModule(relay.url, theirs);
    const mine = await relay.account.pair();
    const bound = await relay.account.createKey({ clientIds: [mine.clientId] });
    const answers = [
      [await named('nobodys-world'), 'nobodys-world'],
      [await named('%00'), '\0'],
      [await named(theirs.clientId), theirs.clientId],
      [await named(relay.pairing.clientId, bound), relay.pairing.clientId],
    ] as const;
    for (const [answer, clientId] of answers) {
      expectProblem(relay.cluster, answer, { code: 'client_not_found', outcome: 'not_sent' });
      expect(String(answer.body['detail'])).toBe(`No world ${clientId} that this key may reach.`);
      expect(Object.keys(answer.body)).toEqual(Object.keys(answers[0][0].body));
    }
    expect(theirModule.count('skill-check')).toBe(0);
    await theirModule.close();
  });

  it('that is offline is 404 with the time when it was last seen, 0 for never', async () => {
    const never = await relay.account.pair();
    expectProblem(relay.cluster, await named(never.clientId), {
      code: 'client_offline',
      outcome: 'not_sent',
      lastSeen: 0,
    });
    const since = Date.now();
    await (await connectModule(relay.url, never)).close();
    await expect.poll(async () => (await named(never.clientId)).body['lastSeen']).toBeGreaterThan(since - 1);
    expect((await named(never.clientId)).body['lastSeen']).toBeLessThanOrEqual(Date.now());
  });

  it('is named in the query, the body or a header, and two that differ are refused', async () => {
    const { clientId } = relay.pairing;
    const ok: SkillCheck[] = [
      { query: `clientId=${clientId}` },
      { query: '', body: { ...goodCheck, clientId } },
      { query: '', headers: { 'x-client-id': clientId } },
      { body: { ...goodCheck, clientId }, headers: { 'x-client-id': clientId } },
    ];
    for (const each of ok) expect((await relay.skillCheck(each)).status).toBe(200);
    const differing: SkillCheck[] = [
      { body: { ...goodCheck, clientId: 'other' } },
      { headers: { 'x-client-id': 'other' } },
      { query: '', body: { ...goodCheck, clientId }, headers: { 'x-client-id': 'other' } },
      { query: `clientId=${clientId}&clientId=${clientId}` },
      { query: 'clientId=' },
      { query: '', body: { ...goodCheck, clientId: 7 } },
      { query: '', body: { ...goodCheck, clientId: null } },
    ];
    for (const each of differing) {
      const answer = await relay.skillCheck(each);
      expectProblem(relay.cluster, answer, {
        code: 'invalid_request',
        outcome: 'not_sent',
        detail: /clientId/,
      });
      expect(fieldsOf(answer.body)).toEqual(['clientId']);
    }
  });

  it('need not be named by a key that is bound to one or may see one that is online; else the candidates are told', async () => {
    const own = await createAccount(relay.url);
    const ownKey = await own.createKey();
    const ask = (apiKey: string) => relay.skillCheck({ query: '', headers: { 'x-api-key': apiKey } });
    expectProblem(relay.cluster, await ask(ownKey), {
      code: 'client_required',
      outcome: 'not_sent',
      candidates: [],
    });

    const [first, second] = [await own.pair(), await own.pair()];
    const one = await connectModule(relay.url, first, () => ({ world: 1 }));
    expect((await ask(ownKey)).body).toMatchObject({ world: 1 });
    const two = await connectModule(relay.url, second, () => ({ world: 2 }));
    const answer = await ask(ownKey);
    expectProblem(relay.cluster, answer, { code: 'client_required', outcome: 'not_sent' });
    const ids = [first.clientId, second.clientId].sort();
    expect(answer.body['candidates']).toEqual(
      ids.map((clientId) => ({ clientId, worldTitle: expect.any(String) as unknown })),
    );

    const bound = await own.createKey({ clientIds: [second.clientId] });
    expect((await ask(bound)).body).toMatchObject({ world: 2 });
    await two.close();
    await expect.poll(async () => (await ask(bound)).body['code']).toBe('client_offline');
    expectProblem(relay.cluster, await ask(bound), { code: 'client_offline', outcome: 'not_sent' });
    expect((await ask(ownKey)).body).toMatchObject({ world: 1 });
    await one.close();
  });

  it('by an id that no world can have is not active, and that is no trouble of ours', async () => {
    for (const id of ['%00', 'x'.repeat(600), '%F0%9F%98%80', "'--"]) {
      const answer = await send('GET', `${relay.url}/api/clients/${id}/active`);
      expect([400, 404]).toContain(answer.status);
    }
  });
});
