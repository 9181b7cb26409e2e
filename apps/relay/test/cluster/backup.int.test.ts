import { findFreePort } from '@tabletop-relay/testing';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { call, connectModule, createAccount } from '../account.ts';
import { startRelayProcess } from '../process.ts';
import { codeOf } from '../second-factor.ts';

/** As docs/operations/backup.md has it: owners and times stay. */
const copy = (from: string, to: string) => promisify(execFile)('cp', ['-a', from, to]);

it('the folder of the embedded default is copied, lost and put back, and every credential works', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'relay-backup-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [dataDir, backup] = [path.join(folder, 'data'), path.join(folder, 'backup')];
  const port = await findFreePort();
  const start = async () => {
    const relay = await startRelayProcess({
      port,
      instanceId: 'embedded',
      // The secret is made beside the data, and comes back with it.
      env: { DATA_DIR: dataDir, RELAY_SECRET: '', DRAIN_WAIT_MS: '0', DRAIN_SPREAD_MS: '0' },
    });
    onTestFinished(() => void relay.end('SIGKILL'));
    return relay;
  };

  const first = await start();
  const { email, password, as, masterKey, createKey, pair } = await createAccount(first.url);
  const key = await createKey();
  const pairing = await pair();
  const app = await as('POST', '/auth/second-factors/totp', { password });
  const { setup, secret } = app.body as { setup: string; secret: string };
  const confirmed = await as('POST', '/auth/second-factors/totp/confirm', { setup, code: codeOf(secret) });
  expect(confirmed.status).toBe(200);
  await first.end('SIGTERM');
  await copy(dataDir, backup);
  rmSync(dataDir, { recursive: true });
  await copy(backup, dataDir);

  const { url } = await start();
  expect((await as('GET', '/auth/account')).body).toMatchObject({ email });
  await connectModule(url, pairing, () => ({ users: ['back'] }));
  for (const apiKey of [masterKey, key]) {
    const headers = { 'x-api-key': apiKey };
    const { body } = await call(url, 'GET', `/players?clientId=${pairing.clientId}`, { headers });
    expect(body).toMatchObject({ users: ['back'] });
  }
  const asked = await call(url, 'POST', '/auth/login', { body: { email, password } });
  expect(asked.body).toMatchObject({ code: 'second_factor_required' });
  // The code of the step in which the app was set up was used then.
  const secondFactor = { challenge: asked.body['challenge'], method: 'totp', code: codeOf(secret, 1) };
  const login = await call(url, 'POST', '/auth/login', { body: { email, password, secondFactor } });
  expect(login.status).toBe(200);
}, 60_000);
