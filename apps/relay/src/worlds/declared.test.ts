import { ClusterUnavailable, createMemoryCluster } from '@tabletop-relay/cluster';
import { declarations } from '@tabletop-relay/contract';
import { expect, onTestFinished, test } from 'vitest';
import { noSockets } from '../../test/no-sockets.ts';
import { createFindDeclared } from './declared.ts';

/** Longest text that all instances keep of one declaration. */
const longest = 64;

test('what a module may declare is bounded', () => {
  for (const [name, schema] of Object.entries<{ type?: string; maxLength?: number }>(declarations)) {
    const { type, maxLength } = schema;
    expect(type === 'boolean' || Number(maxLength) <= longest, name).toBe(true);
  }
});

const claim = { clientId: 'world', conn: 'conn', accountId: 'account' };
const noClients = { byClient: () => undefined };

async function claimed(meta: object) {
  const cluster = createMemoryCluster({ instanceId: 'one' });
  await cluster.start(noSockets);
  onTestFinished(() => cluster.stop());
  await cluster.directory.claim({ ...claim, meta: JSON.stringify(meta) });
  return cluster.directory;
}

test('an instance that has not the socket of a world reads what was declared from the directory', async () => {
  const find = createFindDeclared({
    directory: await claimed({ declared: { checksUser: true } }),
    clients: noClients,
  });
  expect(await find('account', 'world')).toEqual({ checksUser: true });
  expect(await find('another account', 'world')).toBeUndefined();
  expect(await find('account', 'offline')).toBeUndefined();
});

test('a world of an instance that tells nothing declares nothing', async () => {
  const find = createFindDeclared({ directory: await claimed({}), clients: noClients });
  expect(await find('account', 'world')).toEqual({});
});

test('the instance of the socket answers at once', () => {
  const socket = { isServing: true, identity: { accountId: 'account', declared: { filtersEvents: true } } };
  const directory = { find: () => Promise.reject(new ClusterUnavailable()) };
  const find = createFindDeclared({ directory, clients: { byClient: () => socket } });
  expect(find('account', 'world')).toEqual({ filtersEvents: true });
});

test('while nobody can tell, nothing counts as declared', async () => {
  const directory = { find: () => Promise.reject(new ClusterUnavailable()) };
  const find = createFindDeclared({ directory, clients: noClients });
  await expect(find('account', 'world')).rejects.toMatchObject({ code: 'unavailable' });
});
