import { generateKeyPairSync, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWorld, createWorldModule } from '../apps/demo-world/src/index.ts';
import { call, createAccount } from '../packages/testing/src/scenes/index.ts';
import { startInstances } from '../apps/relay/test/instances.ts';
import type { TestInstances } from '../apps/relay/test/instances.ts';
import { memoryStorage } from '../packages/module-sdk/src/index.ts';
import type { TabletopModule } from '../packages/module-sdk/src/index.ts';
import { spawnBound, waitFor } from '../packages/testing/src/index.ts';
import { exampleIn, readPage, root } from './markdown-files.ts';

const page = readPage('docs/your-first-bot.md');
const folder = mkdtempSync(path.join(os.tmpdir(), 'relay-bot-'));

let relay: TestInstances;
let url: string;
let module: TabletopModule;
let apiKey: string;
let chat: Chat;
let bot: { address: string; end(): Promise<unknown> };

beforeAll(async () => {
  [relay, chat] = await Promise.all([startInstances(), startChat()]);
  [{ url }] = relay.instances;
  const account = await createAccount(url);
  const storage = memoryStorage();
  module = createWorldModule(createWorld({ seed: 1 }), { storage });
  const { code } = (await account.as('POST', '/auth/pairing-codes', {})).body;
  await module.pair({ relayUrl: url, code: String(code) });
  await module.connect();
  const { clientId = '' } = await storage.load();
  apiKey = await account.createKey({ scopes: ['search:read', 'roll:execute'], clientIds: [clientId] });
  bot = await startBot();
});
afterAll(async () => {
  await bot.end();
  module.close();
  chat.server.close();
  await relay.stop();
  rmSync(folder, { recursive: true });
});

/** The chat service: it signs what it sends, and takes the answers that are written over the first ones. */
interface Chat {
  server: Server;
  address: string;
  publicKey: string;
  privateKey: KeyObject;
  written: { path: string; content: string }[];
}

async function startChat(): Promise<Chat> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const written: Chat['written'] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      written.push({
        path: `${request.method} ${request.url}`,
        ...(JSON.parse(body) as { content: string }),
      });
      response.end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return {
    server,
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    publicKey: Buffer.from(x, 'base64url').toString('hex'),
    privateKey,
    written,
  };
}

async function startBot(): Promise<typeof bot> {
  mkdirSync(path.join(folder, 'node_modules/@tabletop-relay'), { recursive: true });
  symlinkSync(path.join(root, 'packages/sdk'), path.join(folder, 'node_modules/@tabletop-relay/sdk'));
  // As `npm init -y` writes it.
  writeFileSync(path.join(folder, 'package.json'), '{"type":"commonjs"}');
  const code = exampleIn(page, 'bot')
    .replace('http://localhost:3010', url)
    .replace('listen(Number(PORT),', `listen(Number(PORT), '127.0.0.1',`);
  writeFileSync(path.join(folder, 'bot.mts'), code);
  const env = { API_KEY: apiKey, PUBLIC_KEY: chat.publicKey, PORT: '0', CHAT: chat.address };
  const child = spawnBound({ command: process.execPath, env }, [path.join(folder, 'bot.mts')]);
  let output = '';
  for (const stream of [child.process.stdout, child.process.stderr])
    stream?.on('data', (data: Buffer) => (output += data.toString()));
  const port = () => /port: (\d+)/.exec(output)?.[1];
  await waitFor(() => port() !== undefined, { timeoutMs: 45_000 }).catch(() => {});
  expect(output).toMatch(/listening/);
  return { address: `http://127.0.0.1:${port()}`, end: () => child.end('SIGKILL') };
}

async function send(body: object, tamper = (text: string) => text): Promise<Response> {
  const text = JSON.stringify(body);
  const time = '1769889600';
  const signature = sign(null, Buffer.from(time + text), chat.privateKey).toString('hex');
  const headers = { 'x-signature-timestamp': time, 'x-signature-ed25519': signature };
  return await fetch(bot.address, { method: 'POST', headers, body: tamper(text) });
}

/** What the bot writes over its first answer to a command. */
async function said(character: string, skill: string): Promise<string | undefined> {
  const token = `token-${chat.written.length}`;
  const options = [
    { name: 'character', value: character },
    { name: 'skill', value: skill },
  ];
  const answer = await send({ type: 2, application_id: 'app', token, data: { options } });
  expect([answer.status, await answer.json()]).toEqual([200, { type: 5 }]);
  const written = () =>
    chat.written.find((one) => one.path === `PATCH /webhooks/app/${token}/messages/@original`);
  await waitFor(() => written() !== undefined, { timeoutMs: 20_000 });
  return written()?.content;
}

it('the bot has at most forty lines', () => {
  const lines = exampleIn(page, 'bot')
    .split('\n')
    .filter((line) => line.trim() !== '');
  expect(lines.length).toBeLessThanOrEqual(40);
});

it('the bot answers the chat service’s ping, and nobody who cannot sign', async () => {
  expect(await (await send({ type: 1 })).json()).toEqual({ type: 1 });
  expect((await send({ type: 1 }, (text) => `${text} `)).status).toBe(401);
});

it('the bot finds a character by a part of the name and rolls for it', async () => {
  expect(await said('mira', 'prc')).toMatch(/^Mira .*rolls \d+ \(1d20 \+ \d+: .+\)\.$/);
});

it('the bot says in words what is wrong', async () => {
  expect(await said('Nobody Known', 'prc')).toBe('Nobody here is called Nobody Known.');
  expect(await said('mira', 'flying')).toMatch(/^Not valid: skill must be one of/);
});

it('the curl line of the page finds the character', async () => {
  const line = exampleIn(page, 'find');
  const address = /'http:\/\/localhost:3010([^']+)'/.exec(line)?.[1] ?? '';
  const { body } = await call(url, 'GET', address, { headers: { 'x-api-key': apiKey } });
  expect(body['results']).toEqual([expect.objectContaining({ uuid: 'Actor.mira' })]);
});
