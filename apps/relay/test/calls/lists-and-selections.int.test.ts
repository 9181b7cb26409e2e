import { describe, expect, it } from 'vitest';
import { send } from '../problem.ts';
import { jsonHeaders, startRelayWithWorld } from '../relay-with-world.ts';

const relay = startRelayWithWorld();

const call = (method: string, path: string, body?: object) =>
  send(method, `${relay.url}${path}${path.includes('?') ? '&' : '?'}clientId=${relay.pairing.clientId}`, {
    headers: { ...jsonHeaders, 'x-api-key': relay.key },
    ...(body && { body: JSON.stringify(body) }),
  });

/** The last command of a kind that the world was sent. */
const lastOf = (name: string) => relay.module.received.findLast(({ type }) => type === name);

describe('more than a list has', () => {
  it.each([
    ['/rolls', 'rolls', 20],
    ['/chat', 'chat-messages', 500],
    ['/search', 'search', 500],
  ])('is cut at %s, and the answer says so', async (path, name, most) => {
    const answer = await call('GET', `${path}?limit=${most + 1}`);
    expect(answer.status).toBe(200);
    expect(answer.headers['x-ignored-parameters']).toBe('limit');
    expect(lastOf(name)).toMatchObject({ limit: most });
    const whole = await call('GET', `${path}?limit=${most}`);
    expect(whole.headers['x-ignored-parameters']).toBeUndefined();
    expect((await call('GET', `${path}?limit=0`)).status).toBe(400);
  });

  it('is refused by the account’s own lists, as before', async () => {
    expect((await relay.account.as('GET', '/auth/api-keys?limit=100000')).status).toBe(400);
  });
});

describe('a selection', () => {
  it('is cleared by an empty list and `overwrite`', async () => {
    const answer = await call('POST', '/select', { uuids: [], overwrite: true });
    expect(answer.status).toBe(200);
    expect(lastOf('select')).toMatchObject({ uuids: [], overwrite: true });
  });

  it.each([{ uuids: [] }, { overwrite: true }, { uuids: '', overwrite: true }])(
    'is not cleared by %j',
    async (body) => {
      const sent = relay.module.count('select');
      expect((await call('POST', '/select', body)).status).toBe(400);
      expect(relay.module.count('select')).toBe(sent);
    },
  );
});
