import { operations } from '@tabletop-relay/contract';
import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSecret } from '../../src/credentials/secret.ts';
import { expectProblem, send } from '../problem.ts';
import type { Expected } from '../problem.ts';
import { goodCheck, jsonHeaders, startRelayWithWorld } from '../relay-with-world.ts';

const relay = startRelayWithWorld();

describe('a key', () => {
  it('that is missing, malformed, unknown, of another kind or expired says so', async () => {
    const commands = relay.module.count('skill-check');
    const expired = await relay.account.createKey();
    await relay.cluster.db
      .updateTable('apiKeys')
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .where('hash', '=', hash('sha256', expired, 'buffer'))
      .execute();
    const rows: [Expected['code'], string | undefined][] = [
      ['key_missing', undefined],
      ['key_missing', ''],
      ['key_invalid', 'secret'],
      ['key_invalid', `${relay.key}x`],
      ['key_invalid', createSecret('scopedKey').value],
      ['key_invalid', relay.pairing.token],
      ['key_invalid', relay.account.sessionToken],
      ['key_expired', expired],
    ];
    for (const [code, value] of rows) {
      const answer = await send('POST', `${relay.url}/sys5e/skill-check?clientId=${relay.pairing.clientId}`, {
        headers: { ...jsonHeaders, ...(value === undefined ? {} : { 'x-api-key': value }) },
        body: JSON.stringify(goodCheck),
      });
      expectProblem(relay.cluster, answer, { code, outcome: 'not_sent', retryable: false });
    }
    expect(relay.module.count('skill-check')).toBe(commands);
  });

  it('without the scope is refused before its parameters are looked at, for every operation', async () => {
    const scopes = [...new Set(operations.map(({ scope }) => scope))];
    const without = new Map<string, string>();
    for (const missing of scopes)
      without.set(
        missing,
        await relay.account.createKey({ scopes: scopes.filter((scope) => scope !== missing) }),
      );
    for (const operation of operations) {
      const weak = without.get(operation.scope) ?? '';
      const answer = await send(
        operation.method,
        `${relay.url}${operation.path}?clientId=${relay.pairing.clientId}`,
        {
          headers: { 'x-api-key': weak },
        },
      );
      expectProblem(relay.cluster, answer, {
        code: 'scope_missing',
        scope: operation.scope,
        outcome: 'not_sent',
        detail: new RegExp(operation.scope),
      });
    }
  });
});
