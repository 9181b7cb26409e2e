import { createModule, memoryStorage } from '@tabletop-relay/module-sdk';
import type { CommandContext, TabletopModule } from '@tabletop-relay/module-sdk';
import { call, createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drivers, startTwo } from '../drivers.ts';
import type { TwoInstances } from '../drivers.ts';
import { ask as askTool, connectAssistant } from '../mcp/assistant.ts';
import { connectAsking } from '../remote/asking-module.ts';

describe.each(drivers)('who asks, with the %s drivers', (driver) => {
  let two: TwoInstances;
  let account: TestAccount;
  const modules: TabletopModule[] = [];
  const told: CommandContext['caller'][] = [];

  beforeAll(async () => {
    two = await startTwo(driver);
    account = await createAccount(two.first.url);
  });
  afterAll(async () => {
    for (const module of modules) module.close();
    await two.stop();
  });

  /** A world on the first instance that notes who asks. */
  async function connectWorld(wantsCaller: boolean): Promise<string> {
    const { token, clientId } = await account.pair();
    const module = createModule({
      world: {
        worldId: 'w',
        worldTitle: 'w',
        tabletopVersion: '',
        systemId: 'dnd5e',
        systemTitle: '',
        systemVersion: '',
      },
      storage: memoryStorage({ clientId, connectionToken: token }),
      url: two.first.url,
      declares: { wantsCaller },
      handlers: {
        players(parameters, { caller }) {
          told.push(caller);
          return { users: [], parameters };
        },
      },
    });
    modules.push(module);
    await module.connect();
    return clientId;
  }

  const ask = async (url: string, apiKey: string, clientId: string) => {
    const { body } = await call(url, 'GET', `/players?clientId=${clientId}`, {
      headers: { 'x-api-key': apiKey },
    });
    expect(body).toMatchObject({ parameters: {} });
    expect(body['parameters']).not.toHaveProperty('caller');
    return told.at(-1);
  };

  it('is told to a world that wants it, by whichever instance the call came', async () => {
    const [one, other] = [await connectWorld(true), await connectWorld(true)];
    const key = await account.createKey();
    const asked = { name: 'test', kind: 'key', via: 'http' };
    const here = await ask(two.first.url, key, one);
    expect(here).toEqual({ id: expect.any(String) as string, ...asked });
    expect(await ask(two.second.url, key, one)).toEqual(here);
    const elsewhere = await ask(two.second.url, key, other);
    expect(elsewhere).toMatchObject(asked);
    expect(elsewhere?.id).not.toBe(here?.id);
    expect(await ask(two.second.url, account.masterKey, one)).toMatchObject({ kind: 'masterKey' });
    expect(JSON.stringify(told)).not.toContain(account.accountId);
  });

  it('is told with the way of an assistant, whichever instance it asks', async () => {
    const key = await account.createKey();
    const world = await connectWorld(true);
    const byHttp = await ask(two.first.url, key, world);
    for (const { url } of [two.first, two.second]) {
      const assistant = await connectAssistant(url, key);
      const tool = await askTool(assistant, 'call_operation', { name: 'players', world });
      await assistant.close();
      expect(tool.isError, tool.text).toBe(false);
      expect(told.at(-1)).toEqual({ ...byHttp, via: 'mcp' });
    }
  });

  it('is told of another world too, and to no world that did not ask for it', async () => {
    const one = await connectWorld(true);
    const source = await connectAsking(account, two.second.url, {
      allowedTargetClients: [one],
      remoteScopes: ['user:read'],
    });
    await source.ask({ targetClientId: one });
    source.module.cut();
    expect(told.at(-1)).toMatchObject({ kind: 'world', via: 'module' });
    const silent = await connectWorld(false);
    expect(await ask(two.second.url, await account.createKey(), silent)).toBeUndefined();
  });
});
