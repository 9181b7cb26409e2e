import { ClusterUnavailable, createMemoryCluster } from '@tabletop-relay/cluster';
import type { Tables } from '@tabletop-relay/database';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Principal } from '../keys/authenticate.ts';
import { createChooseClient, readClientId } from './choose-client.ts';
import { noSockets } from '../../test/no-sockets.ts';

const claim = { clientId: 'world', conn: 'conn', accountId: 'account', meta: '' };
let directory: ReturnType<typeof createMemoryCluster>['directory'];

beforeEach(async () => {
  const cluster = createMemoryCluster({ instanceId: 'test' });
  directory = cluster.directory;
  await cluster.start(noSockets);
  await directory.claim(claim);
});

test.each([
  ['nowhere', {}, undefined, undefined, undefined],
  ['in the query string', { clientId: 'a' }, undefined, undefined, 'a'],
  ['in the body', {}, { clientId: 'a' }, undefined, 'a'],
  ['in the header', undefined, null, 'a', 'a'],
  ['in all three', { clientId: 'a' }, { clientId: 'a' }, 'a', 'a'],
])('a world that is named %s is read', (_where, query, body, header, read) => {
  expect(readClientId(query, body, header)).toBe(read);
});

test.each([
  ['with no text', { clientId: '' }, {}, undefined, 'must be the id of one world, as text'],
  ['as a list', { clientId: ['a', 'b'] }, {}, undefined, 'must be the id of one world, as text'],
  ['as a number', {}, { clientId: 7 }, undefined, 'must be the id of one world, as text'],
  ['in two headers', {}, 'a text', ['a', 'b'], 'must be the id of one world, as text'],
  ['otherwise in the body', { clientId: 'a' }, { clientId: 'b' }, undefined, 'is given twice and differs'],
  ['otherwise in the header', { clientId: 'a' }, {}, 'b', 'is given twice and differs'],
  ['otherwise in the header than the body', {}, { clientId: 'a' }, 'b', 'is given twice and differs'],
])('a world that is named %s is refused', (_how, query, body, header, message) => {
  const refused = { code: 'invalid_request', fields: { errors: [{ field: 'clientId', message }] } };
  expect(() => readClientId(query, body, header)).toThrow(expect.objectContaining(refused));
});

/** Postgres as it is without a row. It is asked only where neither the call nor the key names the world. */
const db = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

const choose = (clientIds: Iterable<string> | null, asked?: string) => {
  const chooseClient = createChooseClient({ db, directory });
  const principal = { accountId: 'account', clientIds: clientIds && new Set(clientIds) } as Principal;
  return chooseClient(principal, asked);
};

test('the world that a call names is taken where the key may reach it', async () => {
  expect(await choose(null, 'any')).toBe('any');
  expect(await choose(['world', 'other'], 'other')).toBe('other');
  const refused = expect.objectContaining({
    code: 'client_not_found',
    message: expect.stringMatching(/^No world x+ that/),
  });
  await expect(choose(['world'], 'x'.repeat(1_000))).rejects.toThrow(refused);
  await expect(choose([], 'world')).rejects.toMatchObject({ code: 'client_not_found' });
});

test('a key for one world reaches it, online or not', async () => {
  expect(await choose(['elsewhere'])).toBe('elsewhere');
});

test('of the worlds that a key may reach, the only one of its account that is online is taken', async () => {
  await directory.claim({ ...claim, clientId: 'foreign', conn: 'foreign', accountId: 'stranger' });
  await expect(choose(['offline', 'foreign', 'world'])).resolves.toBe('world');
  await expect(choose(['offline', 'foreign'])).rejects.toMatchObject({
    code: 'client_required',
    message: expect.stringContaining('None of the worlds') as unknown,
    fields: { candidates: [] },
  });
  await expect(choose(null)).rejects.toMatchObject({ code: 'client_required', fields: { candidates: [] } });
});

test('a world that is moving is online: no call goes to another in its place', async () => {
  await directory.claim({ ...claim, clientId: 'moving', conn: 'moving' });
  await directory.release('moving', 'moving', 60_000);
  await expect(choose(['offline', 'moving'])).resolves.toBe('moving');
  await expect(choose(['moving', 'world'])).rejects.toMatchObject({ code: 'client_required' });
});

test('where several worlds are online, or that is not known, the call has to name one', async () => {
  await directory.claim({ ...claim, clientId: 'second', conn: 'second' });
  await expect(choose(['second', 'world', 'offline'])).rejects.toMatchObject({
    code: 'client_required',
    message: expect.stringContaining('2 worlds are online') as unknown,
  });
  const cause = new ClusterUnavailable();
  vi.spyOn(directory, 'find').mockRejectedValueOnce(cause);
  await expect(choose(['second', 'world'])).rejects.toMatchObject({ code: 'unavailable', cause });
  const fault = new Error('a fault of ours');
  vi.spyOn(directory, 'find').mockRejectedValueOnce(fault);
  await expect(choose(['second', 'world'])).rejects.toBe(fault);
});
