import { connectDatabase } from '@tabletop-relay/database';
import type { Database } from '@tabletop-relay/database';
import { call, createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkCredentials } from '../../src/accounts/credentials-check.ts';
import { createRecords } from '../../src/records/records.ts';
import { createSignInFailures } from '../../src/accounts/sign-in/sign-in-failures.ts';
import { createSignInGuard } from '../../src/accounts/sign-in/sign-in-guard.ts';
import { createHashing } from '../../src/credentials/passwords/hashing.ts';
import { createPasswords } from '../../src/credentials/passwords/password.ts';
import type { Passwords } from '../../src/credentials/passwords/password.ts';
import { createSecret } from '../../src/credentials/secret.ts';
import { sendAsBrowser } from '../browser-request.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

let cluster: TestInstances;
let url: string;
let account: TestAccount;

beforeAll(async () => {
  cluster = await startInstances();
  url = cluster.instances[0].url;
  account = await createAccount(url);
});
afterAll(() => cluster.stop());

const send = (method: string, path: string, headers: Record<string, string>, body?: object, at = url) =>
  sendAsBrowser(at + path, method, headers, body);

/** Checks of credentials with a `verify` of the test's own, and the names of what they look up and when. */
function startChecks(verifyBy: (real: Passwords) => Passwords['verify']) {
  const lookUps: string[] = [];
  const db = connectDatabase({ url: cluster.databaseUrl, poolSize: 2, log: { warn: () => {} } });
  const records = createRecords({ db, instanceId: 'test', log: pino({ level: 'silent' }) });
  const secrets = ['a secret'] as const;
  const real = createPasswords(
    { running: 2, waiting: 8, waitingPerAddress: 8, waitMs: 10_000 },
    createHashing({ log: { info: () => {} }, niceness: 0 }),
  );
  const deps = {
    db: {
      selectFrom(table: 'accounts') {
        lookUps.push(table);
        return db.selectFrom(table);
      },
    } as unknown as Database,
    records,
    secrets,
    guard: createSignInGuard({
      failures: createSignInFailures({ db, secrets, now: Date.now }),
      settings: {
        failuresPerPair: 5,
        failuresPerDevice: 5,
        failuresPerAccount: 5,
        secondFactorFailures: 5,
        strangers: { waiting: 10, waitingPerAddress: 5, waitMs: 10_000 },
      },
    }),
    checkSecondFactor: () => Promise.resolve(),
    passwords: { ...real, verify: verifyBy(real) },
  };
  return {
    lookUps,
    tryWith: (email: string, devices = '') =>
      checkCredentials(deps, {
        email,
        password: 'not the password',
        purpose: 'login',
        sender: { ipAddress: '192.0.2.1', userAgent: '' },
        publicUrl: '',
        devices,
      }).catch((error: unknown) => error),
    async stop() {
      await records.stop();
      await db.destroy();
    },
  };
}

describe('signing in', () => {
  it('verifies a password hash for an unknown address just as for a known one, and reads the same', async () => {
    const verified: (string | undefined)[] = [];
    const { tryWith, stop } = startChecks((real) => async (findHash, password, visitor) => {
      const stored = await findHash();
      verified.push(stored);
      return await real.verify(() => stored, password, visitor);
    });
    const known = await tryWith(account.email);
    const unknown = await tryWith('nobody@example.org');
    expect(verified).toEqual([expect.stringMatching(/^\$argon2id/), undefined]);
    expect(unknown).toEqual(known);
    expect(unknown).toMatchObject({ code: 'credentials_invalid' });
    await stop();
  });

  it('looks an account up at the turn of its password, and before it only for a device’s cookie', async () => {
    const { tryWith, lookUps, stop } = startChecks(() => (findHash) => {
      lookUps.push('the turn');
      return Promise.resolve(findHash()).then(() => false);
    });
    await tryWith(account.email);
    await tryWith(account.email, 'a device');
    expect(lookUps).toEqual(['the turn', 'accounts', 'accounts', 'the turn']);
    // An account that is not there costs no more than one that is, or the time would tell them apart.
    await tryWith('nobody@example.org', 'a device');
    expect(lookUps.slice(4)).toEqual(['accounts', 'the turn']);
    await stop();
  });

  it('costs the same time for an unknown address', async () => {
    const time = async (email: string) => {
      const startedAt = performance.now();
      await call(url, 'POST', '/auth/login', { body: { email, password: 'not the password' } });
      return performance.now() - startedAt;
    };
    const fresh = await createAccount(url);
    await time('warm-up@example.org');
    let [known, unknown] = [Infinity, Infinity];
    for (let i = 0; i < 4; i++) {
      known = Math.min(known, await time(fresh.email));
      unknown = Math.min(unknown, await time(`nobody-${i}@example.org`));
    }
    // Argon2 takes tens of milliseconds; without it the unknown one would be below a fifth.
    expect(unknown).toBeGreaterThan(known / 3);
  });

  it('of thirty wrong tries at once hears five, and one more for each second that it took', async () => {
    const victim = await createAccount(url);
    const startedAt = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 30 }, () =>
        call(url, 'POST', '/auth/login', { body: { email: victim.email, password: 'not the password' } }),
      ),
    );
    const heard = answers.filter((answer) => answer.status === 401).length;
    expect(heard).toBeGreaterThanOrEqual(5);
    expect(heard).toBeLessThanOrEqual(5 + (performance.now() - startedAt) / 1000);
  });

  it('gives a session that no cookie of the visitor had a say in', async () => {
    const planted = createSecret('session').value;
    const { setCookie, body } = await send(
      'POST',
      '/auth/login',
      { cookie: `trs=${planted}` },
      { email: account.email, password: account.password },
    );
    expect(body['sessionToken']).not.toBe(planted);
    expect(setCookie[0]).toContain(`trs=${String(body['sessionToken'])};`);
    expect((await send('GET', '/auth/account', { cookie: `trs=${planted}` })).status).toBe(401);
  });
});
