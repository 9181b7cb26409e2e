import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { findFreePort, measureRunningTime, waitFor } from '@tabletop-relay/testing';
import { addTotp, call, createAccount, eventsTold } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAdminCommand } from '../../src/admin/run-command.ts';
import { createRecords } from '../../src/records/records.ts';
import { adminDeps } from '../admin.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { startRelayProcess } from '../process.ts';

let cluster: TestInstances;
let account: TestAccount;

beforeAll(async () => {
  cluster = await startInstances();
  account = await createAccount(cluster.instances[0].url);
});
afterAll(() => cluster.stop());

const file = new URL('../../src/admin.ts', import.meta.url).pathname;

type Ended = { code: number; stdout: string; stderr: string };

/** The command as an operator runs it, beside the running instance. */
const spawned = (...args: string[]) => run({ DATABASE_URL: cluster.databaseUrl }, args);

/** Runs a command without a process of its own, and answers what it prints. */
async function admin(...args: string[]): Promise<string> {
  const records = createRecords({ db: cluster.db, instanceId: 'admin', log: pino({ level: 'silent' }) });
  try {
    return await runAdminCommand(adminDeps(cluster, records), args);
  } finally {
    await records.stop();
  }
}

async function run(settings: Record<string, string>, args: string[]): Promise<Ended> {
  const options = { env: { ...process.env, ...settings }, timeout: 30_000 };
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, [file, ...args], options)) };
  } catch (error) {
    return error as Ended;
  }
}

describe('pnpm admin', () => {
  it('makes an administrator', async () => {
    expect(await spawned('make-administrator', account.email)).toMatchObject({ code: 0 });
    await addTotp(account, cluster.db);
    const accounts = await account.as('GET', '/admin/accounts');
    expect(accounts).toMatchObject({ status: 200, body: { items: [{ id: account.accountId }] } });
  });

  it('resets the second factor of somebody who lost it: audited, told, and all sessions ended', async () => {
    const { url } = cluster.instances[0];
    const loser = await createAccount(url);
    const { recoveryCodes } = await addTotp(loser, cluster.db);
    expect(await admin('reset-second-factor', loser.email)).toBe(`${loser.email}: done`);
    expect(await eventsTold(cluster.db, loser.accountId)).toContain('second_factor.reset');
    await expect.poll(async () => (await loser.as('GET', '/auth/account')).status).toBe(401);
    const { email, password } = loser;
    const login = await call(url, 'POST', '/auth/login', { body: { email, password } });
    expect(login.status).toBe(200);
    const headers = { authorization: `Bearer ${String(login.body['sessionToken'])}` };
    const { body } = await call(url, 'GET', '/auth/audit-log', { headers });
    expect(body['items']).toContainEqual(
      expect.objectContaining({ event: 'second_factor.reset', actor: 'operator' }),
    );
    expect((await call(url, 'GET', '/auth/second-factors', { headers })).body).toMatchObject({
      items: [],
      recoveryCodesLeft: 0,
    });
    expect(recoveryCodes).toHaveLength(10);
  });

  it('forces a rotation that a running instance obeys within a second', async () => {
    const { url } = cluster.instances[0];
    const victim = await createAccount(url);
    const key = await victim.createKey();
    const ask = () => call(url, 'GET', '/clients', { headers: { 'x-api-key': key } });
    expect((await ask()).status).toBe(200);
    await admin('force-rotation', victim.email.toUpperCase());
    const ranMs = measureRunningTime();
    await expect.poll(ask).toMatchObject({ status: 403, body: { code: 'rotation_required' } });
    expect(ranMs()).toBeLessThan(1_000);
    const listed = await admin('list');
    expect(listed).toMatch(new RegExp(`${victim.email}.*must rotate`));
    await expect
      .poll(async () => (await victim.as('GET', '/auth/audit-log')).body['items'])
      .toContainEqual(expect.objectContaining({ event: 'account.rotation_forced', actor: 'operator' }));
  });

  it('lists the sessions of an account, and ends one or all of them', async () => {
    const { url } = cluster.instances[0];
    const { email, password, ...owner } = await createAccount(url);
    const signIn = async () => {
      const { body } = await call(url, 'POST', '/auth/login', { body: { email, password } });
      return { authorization: `Bearer ${String(body['sessionToken'])}` };
    };
    const [one, other] = [await signIn(), await signIn()];
    const { body } = await call(url, 'GET', '/auth/sessions', { headers: one });
    const ids = (body['items'] as { id: string }[]).map(({ id }) => id);
    const listed = await admin('list-sessions', email);
    for (const id of ids) expect(listed).toContain(id);
    const statuses = () =>
      Promise.all(
        [one, other].map(async (headers) => (await call(url, 'GET', '/auth/account', { headers })).status),
      );
    expect(await admin('end-sessions', email, ids[0] ?? '')).toContain('1 session ended');
    expect(await statuses()).toEqual([200, 401]);
    await expect(admin('end-sessions', email, ids[0] ?? '')).rejects.toThrow('no session by the id');
    expect(await admin('end-sessions', email)).toContain('2 sessions ended');
    expect(await statuses()).toEqual([401, 401]);
    expect(await admin('list-sessions', email)).toContain('no sessions');
    const audited = await cluster.db
      .selectFrom('auditLog')
      .select(['event', 'actor'])
      .where('accountId', '=', owner.accountId)
      .where('actor', '=', 'operator')
      .orderBy('id')
      .execute();
    expect(audited).toEqual([
      { event: 'session.revoked', actor: 'operator' },
      { event: 'account.sessions_ended', actor: 'operator' },
    ]);
  });

  it('explains itself for what is no command', async () => {
    const answer = await spawned('unknown', 'a@b.example');
    expect(answer).toMatchObject({ code: 1, stdout: '' });
    expect(answer.stderr).toContain('usage: pnpm admin');
  });

  it('says that an address has no account', async () => {
    await expect(admin('disable', 'nobody@example.org')).rejects.toThrow('no account has the address');
  });
});

describe('pnpm admin on the embedded default', () => {
  it('works beside the running relay and without it, and where none ever ran it says so', async () => {
    const dataDir = mkdtempSync(path.join(os.tmpdir(), 'relay-admin-'));
    const port = await findFreePort();
    const embedded = (...args: string[]) => run({ DATA_DIR: dataDir }, args);
    const start = (publicUrl?: string) =>
      startRelayProcess({
        port,
        instanceId: 'embedded',
        env: {
          DATA_DIR: dataDir,
          DRAIN_WAIT_MS: '0',
          INSTANCE_REPORT_MS: '200',
          DRAIN_SPREAD_MS: '0',
          ...(publicUrl && { PUBLIC_URL: publicUrl }),
        },
      });
    const nothing = await embedded('list');
    expect(nothing).toMatchObject({ code: 1, stdout: '' });
    expect(nothing.stderr).toContain('set DATA_DIR or DATABASE_URL');

    let relay = await start();
    try {
      const own = await createAccount(relay.url);
      expect(await embedded('make-administrator', own.email)).toMatchObject({ code: 0, stderr: '' });
      expect((await own.as('GET', '/auth/account')).body).toMatchObject({ isAdministrator: true });
      expect(await embedded('drain', 'embedded')).toMatchObject({ code: 0, stderr: '' });
      await waitFor(() => !isRunning(relay.pid), { timeoutMs: 20_000 });
      expect(await relay.end('SIGTERM')).not.toMatch(/plain http|owns the tables/);

      expect(await embedded('disable', own.email)).toMatchObject({ code: 0, stderr: '' });
      relay = await start('http://relay.example');
      expect((await own.as('GET', '/auth/account')).body).toMatchObject({ code: 'session_invalid' });
      // That address is no loopback one, and not https: each start says what that means.
      expect(await relay.end('SIGTERM')).toContain('over plain http everybody on the way can read');
    } finally {
      await relay.end('SIGKILL');
      rmSync(dataDir, { recursive: true, force: true });
    }
  }, 120_000);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
