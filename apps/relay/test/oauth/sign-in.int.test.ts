import { assistantPresets, signInScopes } from '@tabletop-relay/contract';
import type { TabletopModule } from '@tabletop-relay/module-sdk';
import { call, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTwo } from '../drivers.ts';
import type { TwoInstances } from '../drivers.ts';
import { ask, connectDemoWorld } from '../mcp/assistant.ts';
import { TestProgram, approve, connect, openTransport, postForm, signIn } from './program.ts';

let two: TwoInstances;
let url: string;
let account: TestAccount;
let pairing: Pairing;
let module: TabletopModule;

beforeAll(async () => {
  two = await startTwo('memory');
  ({ url } = two.first);
  account = await createAccount(url);
  pairing = await account.pair({ worldId: 'sunken-chapel', worldTitle: 'The Sunken Chapel' });
  module = await connectDemoWorld(url, pairing);
});
afterAll(async () => {
  module.close();
  await two.stop();
});

const refresh = (program: TestProgram, token: string | undefined, at = url) =>
  postForm(at, '/oauth/token', {
    grant_type: 'refresh_token',
    refresh_token: token,
    client_id: program.information?.client_id,
  });

describe('a program of the library', () => {
  it('finds out where to sign in, registers, is signed in and rolls', async () => {
    const { program, client } = await signIn(url, account);
    expect(program.ledTo?.searchParams.get('code_challenge_method')).toBe('S256');
    const roll = await ask(client, 'roll', { formula: '1d20', world: pairing.clientId });
    expect(roll.isError).toBe(false);
    expect(program.kept).toMatchObject({ token_type: 'Bearer', scope: assistantPresets[1].scopes.join(' ') });
    expect(program.kept?.access_token).toMatch(/^tro_/);
    const { items } = (await account.as('GET', '/auth/api-keys')).body as { items: object[] };
    expect(items[0]).toMatchObject({
      name: 'Test assistant (claude.ai)',
      signedIn: { host: 'claude.ai' },
      hint: '',
    });
    await client.close();
  });

  it.each(['client_secret_post', 'client_secret_basic'])('is signed in with %s', async (auth) => {
    const { program, client } = await signIn(url, account, { program: new TestProgram({ auth }) });
    expect(program.information?.client_secret).toMatch(/^[\w-]{43}$/);
    const first = program.kept?.access_token;
    program.kept = { ...program.kept!, access_token: 'tro_ended' };
    expect((await ask(client, 'worlds')).isError).toBe(false);
    expect(program.kept.access_token).not.toBe(first);
    await client.close();
  });
});

describe('what a call needs beyond the grant', () => {
  it('is 403 with all that it then holds, and the program asks for that', async () => {
    const { program, client } = await signIn(url, account, { terms: { scopes: assistantPresets[0].scopes } });
    program.ledTo = undefined;
    await expect(ask(client, 'chat_send', { content: 'hello', world: pairing.clientId })).rejects.toThrow(
      /authoriz/i,
    );
    const asked = (program.ledTo as URL | undefined)?.searchParams.get('scope')?.split(' ') ?? [];
    expect(asked).toEqual(expect.arrayContaining([...assistantPresets[0].scopes, 'chat:write']));
    const answer = await approve(url, account, program.ledTo as unknown as URL, {
      scopes: [...assistantPresets[0].scopes, 'chat:write'],
    });
    await openTransport(url, program).finishAuth(answer);
    const again = await connect(url, program);
    const told = await ask(again!, 'chat_send', { content: 'hello', world: pairing.clientId });
    expect(told.isError).toBe(false);
    await again!.close();
    await client.close();
  });

  it('is told in the result where no sign-in gives it', async () => {
    const { client } = await signIn(url, account, { terms: { scopes: signInScopes } });
    const told = await ask(client, 'call_operation', {
      name: 'execute-js',
      world: pairing.clientId,
      arguments: { script: 'return 1' },
    });
    expect(told).toMatchObject({ isError: true, data: { outcome: 'not_sent' } });
    await client.close();
  });
});

describe('a refresh token', () => {
  it('is exchanged for a new pair, twice within two minutes, and ends the sign-in after the next', async () => {
    const { program, client } = await signIn(url, account);
    const first = program.kept?.refresh_token;
    const next = await refresh(program, first, two.second.url);
    expect(next).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 3600 } });
    const again = await refresh(program, first);
    expect(again.status).toBe(200);
    expect(again.body).not.toHaveProperty('refresh_token');
    const third = await refresh(program, String(next.body['refresh_token']));
    expect(third.status).toBe(200);
    expect(await refresh(program, first)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await refresh(program, String(third.body['refresh_token']))).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    await expect
      .poll(() => statusAt(two.second.url, String(third.body['access_token'])), { timeout: 1_000 })
      .toBe(401);
    await client.close();
  });
});

const statusAt = async (at: string, token: string) => {
  const { status } = await call(at, 'POST', '/mcp', {
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    headers: { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' },
  });
  return status;
};
