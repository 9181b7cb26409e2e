import { connectFakeModule } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import { describe, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';

describe('a module that sends notices without end', () => {
  it('fills neither the log of its own account nor that of another', async () => {
    const cluster = await startInstances({ config: { limitModuleNotify: '60 per 1 min' } });
    try {
      const [{ url, registry, stop }] = cluster.instances;
      const neighbour = await createAccount(url);
      const flooding = await createAccount(url);
      const module = await connectModule(url, await flooding.pair());
      const flood = 4_000;
      for (let i = 0; i < flood; i++) module.send({ type: 'module-notify', event: 'flood' });
      for (let i = 0; i < 10; i++) await neighbour.createKey();
      module.send({ type: 'ping' });
      await module.next('pong', 30_000);
      expect(await module.next('error')).toMatchObject({ code: 'rate_limited' });
      await module.close();
      const dropped = await registry.getSingleMetric('relay_records_dropped_total')?.get();
      await stop();
      const read = async (accountId: string) =>
        await cluster.db.selectFrom('auditLog').selectAll().where('accountId', '=', accountId).execute();
      const own = await read(flooding.accountId);
      const notices = own.filter((row) => row.event === 'module.flood').length;
      expect(notices).toBeGreaterThanOrEqual(60);
      expect(notices).toBeLessThan(120);
      const told = own.filter((row) => row.event === 'records.dropped');
      expect(told.reduce((sum, { detail }) => sum + Number(detail['count']), 0)).toBe(flood - notices);
      expect(told[0]).toMatchObject({ actor: 'relay', detail: { reason: 'rate_limited' } });
      expect(dropped?.values).toMatchObject([{ labels: { reason: 'rate_limited' }, value: flood - notices }]);
      const created = (await read(neighbour.accountId)).filter((row) => row.event === 'api_key.created');
      expect(created).toHaveLength(10);
    } finally {
      await cluster.stop();
    }
  });
});

describe('a connection', () => {
  it('is logged for every attempt, accepted or not, with what differs from the pairing', async () => {
    const cluster = await startInstances();
    try {
      const { url } = cluster.instances[0];
      const account = await createAccount(url);
      const pairing = await account.pair({ worldId: 'paired', systemId: 'dnd5e' });
      const connect = async (metadata: Record<string, string>) =>
        await (await connectModule(url, pairing, undefined, { metadata })).close();
      await connect({ worldId: 'paired', systemId: 'dnd5e', systemVersion: '99' });
      await connect({ worldId: 'copied', systemId: 'dnd5e' });
      const [token] = (await account.as('GET', '/auth/connection-tokens')).body['items'] as { id: string }[];
      await account.as('PATCH', `/auth/connection-tokens/${token?.id}`, { ipAllowlist: '203.0.113.1' });
      const refused = async (token: string, code: number) => {
        const module = await connectFakeModule({ url, token, clientId: pairing.clientId });
        expect((await module.closed).code).toBe(code);
      };
      await refused(pairing.token, 4003);
      await refused('nonsense', 4002);
      // The attempts alone: how a connection ended has a row of its own.
      const read = async (query = '') => {
        const { body } = await account.as('GET', `/auth/connection-logs${query}`);
        const rows = body['items'] as Record<string, unknown>[];
        return rows.filter(({ outcome }) => outcome !== 'disconnected');
      };
      await expect
        .poll(() => read())
        .toMatchObject([
          { outcome: 'token_invalid', closeCode: 4002, tokenId: null, metadataMatch: null },
          { outcome: 'address_not_allowed', closeCode: 4003, tokenId: token?.id },
          { outcome: 'connected', metadataMatch: false, mismatch: ['worldId'], worldId: 'copied' },
          { outcome: 'connected', metadataMatch: true, mismatch: [], systemVersion: '99' },
        ]);
      expect(await read('?outcome=connected')).toHaveLength(2);
      expect(await read(`?client=${pairing.clientId}&outcome=connected&limit=1`)).toHaveLength(1);
      expect(await read('?client=another')).toEqual([]);
      expect(await read(`?until=${new Date(Date.now() - 60_000).toISOString()}`)).toEqual([]);
      expect(await read(`?since=${new Date(Date.now() - 60_000).toISOString()}`)).toHaveLength(4);
    } finally {
      await cluster.stop();
    }
  });

  it('is known by its paired name, whatever another browser says with its token', async () => {
    const cluster = await startInstances();
    try {
      const { url } = cluster.instances[0];
      const account = await createAccount(url);
      const pairing = await account.pair({ worldId: 'paired', worldTitle: 'The Chapel', systemId: 'dnd5e' });
      const connect = async (metadata: Record<string, string>) =>
        await (
          await connectModule(url, pairing, undefined, { metadata: { systemId: 'dnd5e', ...metadata } })
        ).close();
      await connect({ worldId: 'paired', worldTitle: 'The Sunken Chapel' });
      await connect({ worldId: 'copied', worldTitle: 'Free gold' });
      const read = async () => {
        const { body } = await account.as('GET', '/auth/connection-logs?outcome=disconnected');
        return (body['items'] as Record<string, unknown>[]).map((row) => [
          row['worldTitle'],
          row['pairedName'],
        ]);
      };
      await expect.poll(read).toEqual([
        ['Free gold', 'The Sunken Chapel'],
        ['The Sunken Chapel', 'The Sunken Chapel'],
      ]);
      const headers = { 'x-api-key': await account.createKey() };
      const { body } = await call(url, 'GET', '/clients', { headers });
      expect(body['clients']).toMatchObject([{ worldTitle: 'The Sunken Chapel', worldId: 'paired' }]);
    } finally {
      await cluster.stop();
    }
  });

  it.each([
    ['the relay’s own code where its token is revoked and it does not answer that', 4002, 'revoke'],
    ['that of a frame that is none', 1002, 'nonsense'],
  ])('that ends is logged with %s', async (_what, closeCode, how) => {
    const cluster = await startInstances();
    try {
      const { url } = cluster.instances[0];
      const account = await createAccount(url);
      const pairing = await account.pair();
      const module = await connectModule(url, pairing);
      module.pause();
      if (how === 'nonsense') module.transport.write(Buffer.from([0xff, 0xff, 0xff, 0xff]));
      else {
        const { body } = await account.as('GET', '/auth/connection-tokens');
        const [token] = body['items'] as { id: string }[];
        await account.as('DELETE', `/auth/connection-tokens/${token?.id}`);
      }
      const read = async () =>
        (await account.as('GET', '/auth/connection-logs?outcome=disconnected')).body['items'];
      await expect.poll(read, { timeout: 10_000 }).toMatchObject([{ closeCode }]);
      module.cut();
    } finally {
      await cluster.stop();
    }
  });
});
