import { operationRequest, callFormOf, operations, remoteScopeNames } from '@tabletop-relay/contract';
import type { Operation, ParameterOptions } from '@tabletop-relay/contract';
import { waitFor } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dumpDatabase } from '../dump-database.ts';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';
import { connectAsking } from '../remote/asking-module.ts';
import type { AskingModule } from '../remote/asking-module.ts';

/** Stands wherever a secret could. What follows it tells the place. */
const canary = 'canary-7d1f';
/** Stands beside each canary, to show that something is kept at all. */
const plain = 'harmless-3c9a';

let cluster: TestInstances;
let account: TestAccount;
let key: string;
let world: Pairing;
let asking: AskingModule;
/** What the world answers next, without its head. */
let answer: object = {};
/** All that was stored and logged, once every call was made. */
let stored = '';

beforeAll(async () => {
  cluster = await startInstances({ config: { callsPerMinute: 100_000 } });
  const [{ url }] = cluster.instances;
  account = await createAccount(url);
  key = await account.createKey();
  world = await account.pair();
  await connectModule(url, world, () => answer);
  asking = await connectAsking(account, url, {
    allowedTargetClients: [world.clientId],
    remoteScopes: [...remoteScopeNames],
  });
  await keepBodies();
  for (const one of calls) await make(one);
  await sendUnreadable();
  // Each is made by HTTP to the world, and to none.
  await waitFor(async () => (await countBodies()) >= 2 * calls.length, { timeoutMs: 20_000 });
  await Promise.all(cluster.instances.map(({ stop }) => stop()));
  stored = `${await dumpDatabase(cluster.ownerUrl)}\n${JSON.stringify(cluster.logs)}`;
}, 180_000);
afterAll(() => cluster.stop());

async function countBodies(): Promise<number> {
  const counted = cluster.db.selectFrom('callBodies').select(({ fn }) => fn.countAll<string>().as('count'));
  return Number((await counted.executeTakeFirstOrThrow()).count);
}

/** Resolves once the instance knows that bodies are kept. */
async function keepBodies(): Promise<void> {
  expect((await account.as('PUT', '/auth/call-log-settings', { keepsBodies: true })).status).toBe(200);
  await waitFor(
    async () => {
      await call(cluster.instances[0].url, 'GET', '/players', { headers: { 'x-api-key': key } });
      return (await countBodies()) > 0;
    },
    { timeoutMs: 20_000, intervalMs: 500 },
  );
}

/** Bodies that cannot be parsed, with a secret in them. */
async function sendUnreadable(): Promise<void> {
  const { url } = cluster.instances[0];
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  for (const body of [`{"password":"${canary}-cut","x`, `{"password":${canary}-bare}`, `${canary}-alone`])
    await fetch(`${url}/user?clientId=${world.clientId}`, { method: 'POST', headers, body });
}

interface MadeCall {
  title: string;
  operation: Operation;
  parameters: Record<string, unknown>;
  answer: object;
}

const secretNames = [
  'password', 'Password', 'PASSWORD', 'passwd', 'passwordSalt', 'password_hash', 'passphrase',
  'token', 'access_token', 'accessToken', 'refresh-token', 'authtoken', 'tokenValue',
  'secret', 'clientSecret', 'secretAnswer', 'SECRET_2',
  'key', 'apiKey', 'api_key', 'APIKey', 'apikey', 'private-key', 'keys', 'refreshTokens',
  'credentials', 'authorization', 'cookie',
  'flags.module.apiKey', 'flags.token.current',
]; // prettier-ignore

/** Fields with a canary in each place that a secret may have, at several depths, and as text, list and object. */
function canaries(place: string): Record<string, unknown> {
  const fields = secretNames.map((name) => [name, `${canary}-${place}-${name}`] as const);
  const text = `${canary}-${place}`;
  return {
    notes: `${plain}-${place}`,
    ...Object.fromEntries(fields),
    inside: [
      { deeper: { ...Object.fromEntries(fields), token: { id: text }, keys: [text], secret: 7_351_907 } },
    ],
    settings: [
      { key: 'module.apiKey', value: text },
      { name: 'X-Auth-Token', value: text },
    ],
  };
}

const isOpen = (schema: object): boolean => 'patternProperties' in schema;

/** The example, with canaries in each parameter whose fields are the tabletop's own, and in each that is marked. */
function withCanaries(operation: Operation): Record<string, unknown> {
  const given: Record<string, unknown> = { ...operation.example.parameters };
  for (const [name, schema] of Object.entries(operation.parameters)) {
    const { unlogged } = schema as ParameterOptions;
    const place = `${operation.name}-${name}`;
    if (isOpen(schema)) given[name] = { ...(given[name] as object), ...canaries(place) };
    if (unlogged && !isOpen(schema)) given[name] = `${canary}-${place}`;
  }
  return given;
}

const withinAnswer = (operation: Operation): object => {
  const { result } = operation.example as { result: Record<string, unknown> };
  const own = operation.secretAnswer ? { result: { value: `${canary}-${operation.name}-result` } } : {};
  return { ...result, more: canaries(`${operation.name}-answer`), ...own };
};

const named = (name: string): Operation => operations.find((one) => one.name === name) as Operation;

/** Documents of which no field tells that it is a secret. */
const untold = (place: string) => ({ anything: `${canary}-${place}-untold`, value: [`${canary}-${place}`] });

const ofKinds: MadeCall[] = ['User', 'Setting'].flatMap((kind) => {
  const uuid = `${kind}.abc`;
  const made = (name: string, parameters: object): MadeCall => {
    const place = `${name}-${kind}`;
    const document = untold(`${place}-answer`);
    return {
      title: `${name} of a ${kind}`,
      operation: named(name),
      parameters: { ...parameters },
      answer: { uuid, data: document, entity: name === 'create' ? document : [document] },
    };
  };
  return [
    made('entity', { uuid }),
    made('create', { entityType: kind, data: untold(`create-${kind}`) }),
    made('update', { uuid, data: untold(`update-${kind}`) }),
    made('delete', { uuid }),
  ];
});

const ofUsers: MadeCall[] = ['get-users', 'get-user', 'create-user', 'update-user'].map((name) => ({
  title: `${name} with what no name tells`,
  operation: named(name),
  parameters: { ...named(name).example.parameters, ...(name === 'update-user' && { data: untold(name) }) },
  answer: { data: untold(`${name}-answer`) },
}));

const ofAll: MadeCall[] = operations.map((operation) => ({
  title: operation.name,
  operation,
  parameters: withCanaries(operation),
  answer: withinAnswer(operation),
}));

const takesSecret = ({ parameters }: Operation): boolean =>
  Object.values(parameters).some((schema) => (schema as ParameterOptions).unlogged === 'secret');

/** The world's own words about a secret that it does not take. */
const refused: MadeCall[] = [
  ...ofAll.filter(({ operation }) => operation.secretAnswer || takesSecret(operation)),
  ...ofKinds,
].map((one) => ({
  ...one,
  title: `${one.title}, refused`,
  answer: { error: `No: ${canary}-${one.operation.name}-refused`, code: `${canary}-code` },
}));

const large: MadeCall = {
  title: 'an answer that is too large to be looked through',
  operation: named('entity'),
  parameters: { uuid: 'Actor.large' },
  answer: { data: { password: `${canary}-large`, text: 'x'.repeat(300_000) } },
};

const calls = [...ofAll, ...ofKinds, ...ofUsers, ...refused, large];

async function make({ operation, parameters, answer: next }: MadeCall): Promise<void> {
  const [{ url }] = cluster.instances;
  answer = next;
  for (const clientId of [world.clientId, 'fvtt_nobodys']) {
    const request = operationRequest({ form: callFormOf(operation), parameters, clientId });
    await call(url, request.method, request.path, {
      headers: { 'x-api-key': key, accept: 'application/json' },
      ...(request.body && { body: request.body }),
    });
  }
  await asking.ask({ targetClientId: world.clientId, action: operation.name, payload: parameters });
}

describe('of all requests and answers that are kept', () => {
  it.each(calls)('$title leaves no secret', ({ operation }) => {
    const found = stored.match(new RegExp(`${canary}-${operation.name}-[\\w.-]*`, 'g')) ?? [];
    expect([...new Set(found)]).toEqual([]);
  });

  it('none leaves a secret anywhere, nor a number that is one', () => {
    expect(new Set(stored.match(new RegExp(`${canary}[\\w.-]*`, 'g')))).toEqual(new Set());
    expect(stored).not.toContain('7351907');
  });

  it.each(ofAll.filter(({ operation: { secretAnswer, name } }) => !secretAnswer && name !== 'macros'))(
    'what else $title answers is kept',
    ({ operation }) => {
      expect(stored).toContain(`${plain}-${operation.name}-answer`);
    },
  );
});
