import { createWorld, createWorldModule } from '@tabletop-relay/demo-world';
import { memoryStorage } from '@tabletop-relay/module-sdk';
import type { TabletopModule } from '@tabletop-relay/module-sdk';
import { spawnBound, waitFor } from '@tabletop-relay/testing';
import { createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import openapiTypes, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

const root = path.join(import.meta.dirname, '../../../..');
const folder = mkdtempSync(path.join(os.tmpdir(), 'relay-document-'));

let cluster: TestInstances;
let url: string;
let account: TestAccount;
let module: TabletopModule;

/** What somebody writes who has the types of the document and nothing else of ours. */
const program = `
import createClient from 'openapi-fetch';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { components, paths } from './api.ts';

const { RELAY = '', FLOW = '' } = process.env;
const open = createClient<paths>({ baseUrl: RELAY });
const verifier = randomBytes(32).toString('base64url');
const headers = { 'x-poll-verifier': verifier };
const site = createServer().listen(0, '127.0.0.1');
await once(site, 'listening');
const callbackUrl = 'http://127.0.0.1:' + (site.address() as AddressInfo).port + '/callback';

const asked = await open.POST('/auth/key-request', {
  body: {
    appName: 'A generated client',
    scopes: ['world:read', 'user:read', 'search:read', 'sys5e:read', 'roll:execute', 'encounter:read', 'structure:read',
      'effects:read', 'chat:read', 'entity:read', 'roll:read'],
    pollChallenge: createHash('sha256').update(verifier).digest('base64url'),
    ...(FLOW === 'web' ? { callbackUrl } : {}),
  },
});
if (!asked.data) throw new Error(asked.error.detail);
console.log('approve ' + asked.data.code);

const apiKey = FLOW === 'web' ? await exchange() : await poll(asked.data.code);
console.log('key ' + apiKey);
const relay = createClient<paths>({ baseUrl: RELAY, headers: { 'x-api-key': apiKey } });

async function poll(code: string): Promise<string> {
  for (;;) {
    const { data, error, response } = await open.GET('/auth/key-request/{code}/status', { params: { path: { code }, header: headers } });
    if (error && error.code !== 'rate_limited') throw new Error(error.detail);
    if (data?.apiKey) return data.apiKey;
    const waitS = Number(response.headers.get('retry-after') ?? 2);
    await new Promise((resolve) => setTimeout(resolve, waitS * 1000));
  }
}

async function exchange(): Promise<string> {
  const [request, answer] = await once(site, 'request');
  answer.end();
  const code = new URL(request.url, callbackUrl).searchParams.get('code') ?? '';
  const { data, error } = await open.POST('/auth/key-request/exchange', { params: { header: headers }, body: { code } });
  if (!data) throw new Error(error.detail);
  return data.apiKey;
}

function told<T>(name: string, answer: { data?: T; error?: components['schemas']['Problem'] }): T {
  if (answer.data === undefined) throw new Error(name + ': ' + answer.error?.detail);
  console.log('did ' + name);
  return answer.data;
}

const none = { params: {} };
const { results } = told('search', await relay.GET('/search', { params: { query: { query: 'mira', filter: 'Actor', excludeCompendiums: true } } }));
const actorUuid = results[0]?.uuid ?? '';
told('world-info', await relay.GET('/world-info', none));
told('players', await relay.GET('/players', none));
told('encounters', await relay.GET('/encounters', none));
told('structure', await relay.GET('/structure', none));
told('rolls', await relay.GET('/rolls', none));
told('chat', await relay.GET('/chat', none));
told('details', await relay.GET('/sys5e/get-actor-details', { params: { query: { actorUuid, details: ['resources'] } } }));
const skill = told('skill-check', await relay.POST('/sys5e/skill-check', { body: { actorUuid, skill: 'prc', advantage: true } }));
told('ability-save', await relay.POST('/sys5e/ability-save', { body: { actorUuid, ability: 'wis' } }));
told('roll', await relay.POST('/roll', { body: { formula: '2d6 + 3' } }));
const total: number | undefined = skill.data.total;
const refused = await relay.POST('/sys5e/skill-check', { body: { actorUuid: 'Actor.nobody', skill: 'prc' } });
site.close();
console.log('refused ' + refused.error?.code + ' ' + refused.error?.reason + ' ' + ((total ?? 0) > 0));
`;

beforeAll(async () => {
  cluster = await startInstances();
  [{ url }] = cluster.instances;
  account = await createAccount(url);
  module = createWorldModule(createWorld({ seed: 1 }), { storage: memoryStorage() });
  const { code } = (await account.as('POST', '/auth/pairing-codes', {})).body;
  await module.pair({ relayUrl: url, code: String(code) });
  await module.connect();
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Record<string, unknown>;
  // Else it takes each field with a default for one that must be sent.
  const types = await openapiTypes(JSON.stringify(document), { defaultNonNullable: false });
  writeFileSync(path.join(folder, 'api.ts'), astToString(types));
  writeFileSync(path.join(folder, 'program.ts'), program);
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  mkdirSync(path.join(folder, 'node_modules'));
  const openapiFetch = path.join(root, 'apps/relay/node_modules/openapi-fetch');
  symlinkSync(openapiFetch, path.join(folder, 'node_modules/openapi-fetch'));
}, 120_000);
afterAll(async () => {
  module.close();
  await cluster.stop();
  rmSync(folder, { recursive: true });
});

it('a client that is written from the document alone compiles', { timeout: 120_000 }, () => {
  const compilerOptions = {
    typeRoots: [path.join(root, 'node_modules/@types')],
    types: ['node'],
    incremental: false,
    skipLibCheck: true,
  };
  const config = { extends: path.join(root, 'tsconfig.json'), compilerOptions, include: ['*.ts'] };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = path.join(root, 'node_modules/.bin/tsc');
  const { stdout, stderr } = spawnSync(tsc, ['--project', folder], { cwd: folder, encoding: 'utf8' });
  expect(stdout + stderr).toBe('');
});

it.each(['device', 'web'])(
  'a program with that client gets a key by the %s flow, and makes eleven calls with it',
  { timeout: 90_000 },
  async (flow) => {
    const env = { RELAY: url, FLOW: flow };
    const child = spawnBound({ command: process.execPath, env }, [path.join(folder, 'program.ts')]);
    let output = '';
    for (const stream of [child.process.stdout, child.process.stderr])
      stream?.on('data', (data: Buffer) => (output += data.toString()));
    const seen = async (pattern: RegExp) => {
      await waitFor(() => pattern.test(output), { timeoutMs: 45_000 }).catch(() => {});
      expect(output).toMatch(pattern);
      return pattern.exec(output)?.[1] ?? '';
    };
    const code = await seen(/approve (\w+)/);
    const { body } = await account.as('POST', `/auth/key-request/${code}/approve`, {});
    const { redirectUrl } = body as { redirectUrl?: string };
    if (redirectUrl) await fetch(redirectUrl);
    await seen(/refused operation_failed entity_not_found true/);
    expect(output.match(/^did /gm)).toHaveLength(11);
    expect(output).toMatch(/^key trk_/m);
    await child.end('SIGKILL');
  },
);
