import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { FakeModule } from '@tabletop-relay/testing';
import { connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { ask, eras } from './assistant.ts';

let cluster: TestInstances;
let url: string;
let account: TestAccount;
let pairing: Pairing;
let module: FakeModule;

beforeAll(async () => {
  cluster = await startInstances();
  [{ url }] = cluster.instances;
  account = await createAccount(url);
  pairing = await account.pair();
  module = await connectModule(url, pairing, () => ({ data: { total: 13 } }));
});
afterAll(async () => {
  await module.close();
  await cluster.stop();
});

const main = path.join(import.meta.dirname, '../../../../packages/cli/src/main.ts');

/** An assistant that starts `tabletop mcp`, as those do that know no address. */
async function startBridge(key: string, era: keyof typeof eras, ...flags: string[]) {
  const client = new Client({ name: 'Test assistant', version: '1.2' }, { versionNegotiation: eras[era] });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, 'mcp', ...flags],
    env: { PATH: process.env['PATH'] ?? '', TABLETOP_URL: url, TABLETOP_KEY: key },
    stderr: 'ignore',
  });
  await client.connect(transport);
  return client;
}

it.each(Object.keys(eras) as (keyof typeof eras)[])(
  'an assistant of the revisions %s calls a world through the command line',
  { timeout: 60_000 },
  async (era) => {
    const client = await startBridge(await account.createKey(), era, '--world', pairing.clientId);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['worlds', 'call_operation', 'roll']),
    );
    const given = { name: 'skill-check', arguments: { actorUuid: 'Actor.mira', skill: 'prc' } };
    const answers = await Promise.all([ask(client, 'call_operation', given), ask(client, 'worlds')]);
    expect(answers[0]).toMatchObject({ isError: false, data: { data: { total: 13 } } });
    expect(answers[1]?.data).toMatchObject({ worlds: [{ id: pairing.clientId, online: true }] });
    await client.close();
  },
);

it('narrows as the address does, and tells why a key is not taken', { timeout: 60_000 }, async () => {
  const reader = await startBridge(await account.createKey(), 'newest', '--readonly');
  const { tools } = await reader.listTools();
  await reader.close();
  expect(tools.map(({ name }) => name)).not.toContain('roll');
  await expect(startBridge('trk_none', 'of 2025')).rejects.toThrow('key_invalid');
});
