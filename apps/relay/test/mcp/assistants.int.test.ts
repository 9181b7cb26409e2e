import type { Client } from '@modelcontextprotocol/client';
import {
  assistantPresets,
  operations,
  scopeNames,
  tableOperations,
  toolNameOf,
} from '@tabletop-relay/contract';
import type { TabletopModule } from '@tabletop-relay/module-sdk';
import { createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { startTwo } from '../drivers.ts';
import type { TwoInstances } from '../drivers.ts';
import { ask, connectAssistant, connectDemoWorld, eras } from './assistant.ts';

let two: TwoInstances;
let account: TestAccount;
let pairing: Pairing;
let key: string;
let module: TabletopModule;
let client: Client;

beforeAll(async () => {
  two = await startTwo('memory');
  account = await createAccount(two.first.url);
  key = await account.createKey();
  pairing = await account.pair({ worldId: 'sunken-chapel', worldTitle: 'The Sunken Chapel' });
  module = await connectDemoWorld(two.first.url, pairing);
  client = await connectAssistant(two.second.url, key);
});
afterAll(async () => {
  await client.close();
  module.close();
  await two.stop();
});

const toolsAt = async (at: string, apiKey = key): Promise<string[]> => {
  const narrowed = await connectAssistant(two.first.url, apiKey, { at });
  const { tools } = await narrowed.listTools();
  await narrowed.close();
  return tools.map(({ name }) => name);
};

describe.each(Object.keys(eras) as (keyof typeof eras)[])('a program of the revisions %s', (era) => {
  it('finds the worlds, an operation, and calls it, through any instance', async () => {
    const program = await connectAssistant(two.second.url, key, { era, headers: { 'x-api-key': key } });
    expect(program.getServerVersion()).toMatchObject({ name: 'tabletop-relay' });
    const worlds = await ask(program, 'worlds');
    expect(worlds.data).toMatchObject({
      worlds: [{ id: pairing.clientId, online: true }],
      may: { change: true, groups: expect.arrayContaining(['sys5e', 'chat']) as unknown },
    });
    const found = await ask(program, 'find_operations', { words: 'take a long rest' });
    const [first] = found.data['operations'] as Record<string, unknown>[];
    expect(first).toMatchObject({ name: 'long-rest', effect: 'changes', arguments: { type: 'object' } });
    const rest = await ask(program, 'call_operation', {
      name: 'long-rest',
      world: pairing.clientId,
      arguments: { actorUuid: 'Actor.mira' },
    });
    expect(rest).toMatchObject({ isError: false, data: { type: 'long-rest-result' } });
    await program.close();
  });
});

describe('what is listed', () => {
  it('is short: 24 tools and 24,000 bytes at most, the same each time', async () => {
    const { tools } = await client.listTools();
    expect(tools.length).toBeLessThanOrEqual(24);
    expect(JSON.stringify(tools).length).toBeLessThanOrEqual(24_000);
    expect(tools.map(({ name }) => name)).toEqual([
      'worlds', 'find_operations', 'call_operation', 'recent_events', ...tableOperations.map(toolNameOf).toSorted(),
    ]); // prettier-ignore
    for (const { name } of tools) expect(name).toMatch(/^[a-z0-9_]{1,64}$/);
    expect((await client.listTools()).tools).toEqual(tools);
  });

  it('has 80,000 bytes at most where all are asked for, and never what needs a key by hand', async () => {
    const wide = await connectAssistant(two.first.url, account.masterKey, { at: '?tools=all' });
    const { tools } = await wide.listTools();
    await wide.close();
    expect(JSON.stringify(tools).length).toBeLessThanOrEqual(80_000);
    expect(tools).toHaveLength(4 + operations.length - 6);
    expect(tools.map(({ name }) => name)).not.toContain('execute_js');
  });

  it('says by hints what a tool may do', async () => {
    const { tools } = await client.listTools();
    const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]));
    expect(hints['search']).toEqual({ readOnlyHint: true });
    expect(hints['roll']).toEqual({ destructiveHint: false });
    expect(hints['end_encounter']).toEqual({ destructiveHint: true });
    expect(hints['worlds']).toEqual({ readOnlyHint: true, openWorldHint: false });
  });

  it('is what the scopes of the key open, and asks for no world where there is one', async () => {
    const narrow = await account.createKey({ scopes: ['chat:write'], clientIds: [pairing.clientId] });
    const program = await connectAssistant(two.first.url, narrow);
    const { tools } = await program.listTools();
    await program.close();
    expect(tools.map(({ name }) => name)).toEqual([
      'worlds',
      'find_operations',
      'call_operation',
      'chat_send',
    ]);
    expect(tools.at(-1)?.inputSchema.properties).not.toHaveProperty('world');
  });

  it.each(assistantPresets)(
    'of the preset $name has nothing that needs a key by hand',
    async ({ scopes, query }) => {
      const apiKey = await account.createKey({ scopes: [...scopes] });
      const tools = await toolsAt(query && `?${query}`, apiKey);
      expect(tools).toContain('search');
      expect(tools.includes('recent_events')).toBe(
        (scopes as readonly string[]).includes('events:subscribe'),
      );
    },
  );

  it('has instructions of 600 characters, three prompts and a template', async () => {
    expect(client.getInstructions()?.length).toBeLessThanOrEqual(600);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['recap_session', 'run_combat', 'prepare_session']);
    for (const { name } of prompts) {
      const { messages } = await client.getPrompt({
        name,
        arguments: { world: 'w', idea: 'a {world} cellar' },
      });
      expect(JSON.stringify(messages)).toContain(' in the world ');
    }
    await expect(client.getPrompt({ name: 'prepare_session' })).rejects.toThrow('needs idea');
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'relay://{world}/entity/{uuid}',
    ]);
  });
});

test('resources tell the worlds, and a document', async () => {
  const read = async (uri: string) => JSON.stringify(await client.readResource({ uri }));
  expect(await read('relay://worlds')).toContain(pairing.clientId);
  expect(await read(`relay://${pairing.clientId}/entity/Actor.mira`)).toContain('Mira');
  await expect(read('relay://elsewhere')).rejects.toThrow('no such resource');
  await expect(read(`relay://${pairing.clientId}/entity/Actor.nobody`)).rejects.toThrow('operation_failed');
});

describe('an address', () => {
  it('leaves queries alone, groups alone, also of what may be called', async () => {
    const read = await toolsAt('?tools=read');
    expect(read).toHaveLength(4 + 27);
    expect(await toolsAt('?tools=chat,rolls')).toEqual([
      'worlds', 'find_operations', 'call_operation',
      'chat_delete', 'chat_flush', 'chat_messages', 'chat_send', 'last_roll', 'roll', 'rolls',
    ]); // prettier-ignore
    for (const at of ['?readonly=1', '/readonly=1', '?tools=read', '?tools=chat']) {
      const program = await connectAssistant(two.first.url, key, { at });
      for (const tool of ['call_operation', 'roll']) {
        const given = tool === 'roll' ? { formula: '1d4' } : { name: 'roll', arguments: { formula: '1d4' } };
        const told = await ask(program, tool, given);
        expect(told).toMatchObject({ isError: true, data: { code: 'forbidden', outcome: 'not_sent' } });
      }
      const events = await ask(program, 'recent_events', { channel: 'chat' });
      expect(events.data['code'], at).toBe(at === '?tools=chat' ? 'forbidden' : undefined);
      const found = await ask(program, 'find_operations', { words: 'roll' });
      expect(JSON.stringify(found.data)).not.toContain('"name":"roll"');
      await program.close();
    }
  });

  it('binds the world, in whatever place another is named', async () => {
    const other = await account.pair();
    const program = await connectAssistant(two.first.url, key, { at: `/world=${pairing.clientId}` });
    const tries: [string, object][] = [
      ['players', { world: other.clientId }],
      ['players', { clientId: other.clientId }],
      ['call_operation', { name: 'players', world: other.clientId }],
      ['call_operation', { name: 'players', arguments: { clientId: other.clientId } }],
      ['call_operation', { name: 'players', arguments: { world: other.clientId } }],
      ['call_operation', { name: 'players', world: pairing.clientId, arguments: { world: other.clientId } }],
      [
        'call_operation',
        { name: 'players', world: pairing.clientId, arguments: { clientId: other.clientId } },
      ],
      ['recent_events', { channel: 'chat', world: other.clientId }],
      ['recent_events', { channel: 'chat', filters: { clientId: other.clientId } }],
    ];
    for (const [tool, given] of tries) {
      const { isError, data } = await ask(program, tool, given);
      expect([isError, data['code']], JSON.stringify(given)).toEqual([true, expect.stringMatching(/client_not_found|invalid_request/)]); // prettier-ignore
    }
    const { data } = await ask(program, 'worlds');
    expect((data['worlds'] as { id: string }[]).map(({ id }) => id)).toEqual([pairing.clientId]);
    expect((await ask(program, 'players')).isError).toBe(false);
    await program.close();
  });

  it('binds the user, in whatever place another is named', async () => {
    const program = await connectAssistant(two.first.url, key, { at: `?world=${pairing.clientId}&as=ben` });
    for (const given of [{ userId: 'gm' }, { name: 'players', arguments: { userId: 'gm' } }]) {
      const { data } = await ask(program, 'name' in given ? 'call_operation' : 'players', given);
      expect(data).toMatchObject({ code: 'acting_user_fixed' });
    }
    const save = await ask(program, 'ability_save', { actorUuid: 'Actor.borin', ability: 'wis' });
    expect(save.data).toMatchObject({ code: 'operation_failed', reason: 'permission_denied' });
    await program.close();
  });

  it.each(['?wrold=x', '?world=a&world=b', '/world=a?world=b', '?readonly=yes', '/nothing', '?as=ben'])(
    'that cannot be kept is refused: %s',
    async (at) => {
      await expect(connectAssistant(two.first.url, key, { at })).rejects.toThrow(
        /\b40[04]\b|invalid_request/,
      );
      const response = await fetch(`${two.first.url}/mcp${at}`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      });
      expect([400, 404]).toContain(response.status);
      expect(response.headers.get('content-type')).toContain('application/problem+json');
    },
  );
});

describe('what needs a key by hand', () => {
  const script = { name: 'execute-js', arguments: { script: 'return 1' } };

  it('is called with such a key, from the catalogue alone', async () => {
    const program = await connectAssistant(two.first.url, key);
    const found = await ask(program, 'find_operations', { words: 'run a script' });
    expect((found.data['operations'] as { name: string }[])[0]?.name).toBe('execute-js');
    expect((await ask(program, 'call_operation', script)).data).not.toMatchObject({ code: 'forbidden' });
    await program.close();
  });

  it('is refused with the master key, and with a key that a program asked for', async () => {
    const asked = await keyOfProgram();
    for (const apiKey of [account.masterKey, asked]) {
      const program = await connectAssistant(two.first.url, apiKey);
      for (const name of ['execute-js', 'execute_js', 'macro-execute', 'upload-file', 'create-user'])
        expect((await ask(program, 'call_operation', { ...script, name })).data).toMatchObject({
          code: 'forbidden',
        });
      expect((await ask(program, 'execute_js', script.arguments)).data).toMatchObject({ code: 'forbidden' });
      await program.close();
    }
  });

  it('is refused too where a parameter of another operation needs it, and none of it is told to the module', async () => {
    const program = await connectAssistant(two.first.url, await keyOfProgram());
    const data = { name: 'Trap', flags: { monks: { runcode: 'game.togglePause()' } } };
    const update = { name: 'update', world: pairing.clientId, arguments: { uuid: 'Actor.mira', data } };
    expect((await ask(program, 'call_operation', update)).data).toMatchObject({
      code: 'forbidden',
      detail: expect.stringContaining('script:execute') as unknown,
      outcome: 'not_sent',
    });
    await program.close();
    await expect
      .poll(async () => JSON.stringify((await account.as('GET', '/auth/calls?outcome=forbidden')).body))
      .toContain('"operation":"update"');
  });

  async function keyOfProgram(): Promise<string> {
    const { call } = await import('@tabletop-relay/testing/scenes');
    const { body } = await call(two.first.url, 'POST', '/auth/key-request', {
      body: { appName: 'A program', scopes: [...scopeNames] },
    });
    const { code } = body as { code: string };
    await account.as('POST', `/auth/key-request/${code}/approve`, {});
    const status = await call(two.first.url, 'GET', `/auth/key-request/${code}/status`);
    return (status.body as { apiKey: string }).apiKey;
  }
});
