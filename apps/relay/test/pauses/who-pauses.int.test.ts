import { connectModule, createAccount, makeAdministrator } from '@tabletop-relay/testing/scenes';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { readArguments, runAdminCommand } from '../../src/admin/run-command.ts';
import { createRecords } from '../../src/records/records.ts';
import { adminDeps } from '../admin.ts';
import { refused, startPausedWorlds, within } from './paused-worlds.ts';

const start = startPausedWorlds();
const { roll, newKey, pauseKey, pauseWorld, expectSoon } = start;

describe('administrators', () => {
  it('pause and lift over HTTP; the owner cannot lift theirs', async () => {
    const admin = await createAccount(start.two.first.url);
    await makeAdministrator(start.two.cluster.db, admin);
    const { id, key } = await newKey();
    const path = `/admin/accounts/${start.account.accountId}/api-keys/${id}`;
    expect(await start.account.as('POST', `${path}/pause`)).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
    await pauseKey(id);
    expect(await admin.as('POST', `${path}/pause`)).toMatchObject({
      status: 200,
      body: { pauses: [{ by: 'administrator', setIn: 'relay' }] },
    });
    await expectSoon((at) => roll(key, at), refused('key'));
    expect(await pauseKey(id, 'resume')).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(await admin.as('POST', `${path}/resume`)).toMatchObject({ status: 200, body: { pauses: [] } });
    await expectSoon((at) => roll(key, at), { status: 200 });
    const ofWorld = `/admin/accounts/${start.account.accountId}/known-clients/${start.world.clientId}`;
    expect(await admin.as('POST', `${ofWorld}/pause`)).toMatchObject({ status: 200 });
    await expectSoon((at) => roll(key, at), refused('world'));
    expect(await pauseWorld('resume')).toMatchObject({ status: 403 });
    await admin.as('POST', `${ofWorld}/resume`);
    await expectSoon((at) => roll(key, at), { status: 200 });
  });

  it('pause and lift from the command line', async () => {
    const { id, key } = await newKey();
    const records = createRecords({
      db: start.two.cluster.db,
      instanceId: 'admin',
      log: pino({ level: 'silent' }),
    });
    const run = (args: string[]) => {
      readArguments(args);
      return runAdminCommand(adminDeps(start.two.cluster, records), args);
    };
    await run(['pause', start.account.email, 'key', id]);
    await expectSoon((at) => roll(key, at), refused('key'));
    await run(['resume', start.account.email, 'key', id]);
    await run(['pause', start.account.email, 'world', start.world.clientId]);
    await expectSoon((at) => roll(key, at), refused('world'));
    await run(['resume', start.account.email, 'world', start.world.clientId]);
    await expectSoon((at) => roll(key, at), { status: 200 });
    await expect(run(['pause', start.account.email, 'door', id])).rejects.toThrow('key');
    await expect(run(['pause', start.account.email, 'key', 'nobody'])).rejects.toThrow('no key');
    await records.stop();
  });
});

describe('the tabletop', () => {
  it('pauses its world, which is lifted there alone, and stays paused while the world is away', async () => {
    const pairing = await start.account.pair();
    const answer = () => ({ data: {} });
    const tabletop = await connectModule(start.two.first.url, pairing, answer);
    tabletop.send({ type: 'set-pause', requestId: 'p1', paused: true, userName: 'Gm\u0000 Ada' });
    const answered = await tabletop.next('pauses');
    expect(answered).toMatchObject({ pauses: [{ setIn: 'tabletop' }] });
    await expectSoon((at) => roll(start.account.masterKey, at, pairing), refused('world', 'tabletop'));
    const resumed = await pauseWorld('resume', pairing);
    expect(resumed.body['pauses']).toMatchObject([{ setIn: 'tabletop', by: 'token', userName: 'Gm Ada' }]);
    await pauseWorld('pause', pairing);
    await pauseWorld('resume', pairing);
    await tabletop.close();
    await expectSoon((at) => roll(start.account.masterKey, at, pairing), refused('world', 'tabletop'));
    const back = await connectModule(start.two.second.url, pairing, answer);
    const hello = back.received.find(({ type }) => type === 'auth-success');
    expect(hello?.['pauses']).toMatchObject([{ setIn: 'tabletop' }]);
    back.send({ type: 'set-pause', requestId: 'p2', paused: false });
    await vi.waitFor(() => {
      const frame = back.received.find(({ requestId }) => requestId === 'p2');
      expect(frame).toMatchObject({ type: 'pauses', pauses: [] });
    }, within);
    await expectSoon((at) => roll(start.account.masterKey, at, pairing), { status: 200 });
    await back.close();
  });

  it('hears of the pauses that are set elsewhere', async () => {
    const pairing = await start.account.pair();
    const tabletop = await connectModule(start.two.second.url, pairing);
    await pauseWorld('pause', pairing);
    expect(await tabletop.next('pauses')).toMatchObject({ pauses: [{ setIn: 'relay' }] });
    tabletop.send({ type: 'set-pause', requestId: 'q1', paused: false });
    await vi.waitFor(() => {
      const frame = tabletop.received.find(({ requestId }) => requestId === 'q1');
      expect(frame).toMatchObject({ type: 'pauses', pauses: [{ setIn: 'relay' }] });
    }, within);
    tabletop.send({ type: 'set-pause', requestId: 'q2', paused: 'yes' });
    expect(await tabletop.next('error')).toMatchObject({ code: 'bad_pause', requestId: 'q2' });
    await tabletop.close();
  });
});
