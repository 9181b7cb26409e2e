import { operations } from '@tabletop-relay/contract';
import type { FakeModule } from '@tabletop-relay/testing';
import { hash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSecret } from '../../src/credentials/secret.ts';
import { connectModule, createAccount } from '../account.ts';
import type { Pairing, TestAccount } from '../account.ts';
import { createBystander } from '../bystander.ts';
import type { Bystander } from '../bystander.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { expectProblem, send } from '../problem.ts';
import type { Expected } from '../problem.ts';

const maxBodyBytes = 20_000;

let cluster: TestInstances;
let url: string;
let account: TestAccount;
let key: string;
let pairing: Pairing;
let module: FakeModule;
let bystander: Bystander;

beforeAll(async () => {
  cluster = await startInstances({ config: { maxBodyBytes } });
  url = cluster.instances[0].url;
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
beforeEach(() => bystander.begin());
afterEach(() => bystander.expectUnharmed());

const json = { 'content-type': 'application/json' };
const good = { actorUuid: 'Actor.a', skill: 'prc' };

describe('a key', () => {
  it('that is missing, malformed, unknown, of another kind or expired says so', async () => {
    const commands = module.count('skill-check');
    const expired = await account.createKey();
    await cluster.db
      .updateTable('apiKeys')
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .where('hash', '=', hash('sha256', expired, 'buffer'))
      .execute();
    const rows: [Expected['code'], string | undefined][] = [
      ['key_missing', undefined],
      ['key_missing', ''],
      ['key_invalid', 'secret'],
      ['key_invalid', `${key}x`],
      ['key_invalid', createSecret('scopedKey').value],
      ['key_invalid', pairing.token],
      ['key_invalid', account.sessionToken],
      ['key_expired', expired],
    ];
    for (const [code, value] of rows) {
      const answer = await send('POST', `${url}/sys5e/skill-check?clientId=${pairing.clientId}`, {
        headers: { ...json, ...(value === undefined ? {} : { 'x-api-key': value }) },
        body: JSON.stringify(good),
      });
      expectProblem(cluster, answer, { code, outcome: 'not_sent', retryable: false });
    }
    expect(module.count('skill-check')).toBe(commands);
  });

  it('without the scope is refused before its parameters are looked at, for every operation', async () => {
    for (const operation of operations) {
      const others = operations.map(({ scope }) => scope).filter((scope) => scope !== operation.scope);
      const weak = await account.createKey({ scopes: [...new Set(others)] });
      const answer = await send(operation.method, `${url}${operation.path}?clientId=${pairing.clientId}`, {
        headers: { 'x-api-key': weak },
      });
      expectProblem(cluster, answer, {
        code: 'scope_missing',
        scope: operation.scope,
        outcome: 'not_sent',
        detail: new RegExp(operation.scope),
      });
    }
  });
});
