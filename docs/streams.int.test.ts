import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { createWorld, createWorldModule } from '../apps/demo-world/src/index.ts';
import type { World } from '../apps/demo-world/src/index.ts';
import { createAccount } from '../packages/testing/src/scenes/index.ts';
import type { TestAccount } from '../packages/testing/src/scenes/index.ts';
import { startInstances } from '../apps/relay/test/instances.ts';
import type { TestInstances } from '../apps/relay/test/instances.ts';
import { memoryStorage } from '../packages/module-sdk/src/index.ts';
import type { TabletopModule } from '../packages/module-sdk/src/index.ts';
import { findDebianProgram, spawnBound, waitFor } from '../packages/testing/src/index.ts';
import { exampleIn, readPage, root } from './markdown-files.ts';

const page = readPage('docs/streams.md');
const folder = mkdtempSync(path.join(os.tmpdir(), 'relay-streams-'));

let relay: TestInstances;
let url: string;
let account: TestAccount;
let world: World;
let module: TabletopModule;
let apiKey: string;

beforeAll(async () => {
  relay = await startInstances();
  [{ url }] = relay.instances;
  account = await createAccount(url);
  mkdirSync(path.join(folder, 'node_modules/@tabletop-relay'), { recursive: true });
  for (const name of ['sdk', 'module-sdk']) {
    symlinkSync(path.join(root, 'packages', name), path.join(folder, 'node_modules/@tabletop-relay', name));
  }
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
});
afterAll(async () => {
  await relay.stop();
  rmSync(folder, { recursive: true });
});

beforeEach(async () => {
  world = createWorld({ seed: 1 });
  const storage = memoryStorage();
  module = createWorldModule(world, { storage });
  onTestFinished(() => module.close());
  await module.pair({ relayUrl: url, code: await pairingCode() });
  await module.connect();
  const { clientId = '' } = await storage.load();
  apiKey = await account.createKey({ scopes: ['events:subscribe', 'encounter:read'], clientIds: [clientId] });
});

async function pairingCode(): Promise<string> {
  return String((await account.as('POST', '/auth/pairing-codes', {})).body['code']);
}

const atRelay = (text: string) => text.replaceAll('http://localhost:3010', url);

/** Runs a program of the page as it stands there, but against this test's instance. */
function run(name: string, env: Record<string, string> = { API_KEY: apiKey }) {
  const file = path.join(folder, `${name}.ts`);
  writeFileSync(file, atRelay(exampleIn(page, name)));
  return start('bash', ['-c', 'cd "$0" && exec "$1" "$2"', folder, process.execPath, file], env);
}

function start(command: string, args: string[], env: Record<string, string>) {
  const child = spawnBound({ command, env }, args);
  let output = '';
  for (const stream of [child.process.stdout, child.process.stderr])
    stream?.on('data', (data: Buffer) => (output += data.toString()));
  const end = () => child.end('SIGKILL');
  onTestFinished(end);
  return {
    end,
    ended: new Promise<number | null>((resolve) => child.process.once('close', resolve)),
    /** What it printed that looks so; all that it printed where nothing does. */
    async printed(pattern: RegExp): Promise<string> {
      await waitFor(() => pattern.test(output), { timeoutMs: 45_000 }).catch(() => {});
      return pattern.exec(output)?.[0] ?? output;
    },
  };
}

const act = (name: string) => world.perform({ kind: 'operation', name, parameters: {} });
const roll = () => world.perform({ kind: 'roll', formula: '2d6 + 3', actorUuid: 'Actor.mira' });

it('has a program that follows the fights until one ends', { timeout: 90_000 }, async () => {
  const program = run('follow');
  await program.printed(/^listening$/m);
  act('next-turn');
  expect(await program.printed(/^round 1, turn 1$/m)).toBe('round 1, turn 1');
  act('end-encounter');
  expect(await program.ended).toBe(0);
});

it('has a line for curl', { timeout: 90_000 }, async () => {
  const curl = await findDebianProgram('curl');
  const folders = `${path.dirname(curl.command)}:${process.env['PATH']}`;
  const line = atRelay(exampleIn(page, 'curl'));
  const program = start('bash', ['-c', line], { ...curl.env, PATH: folders, API_KEY: apiKey });
  await program.printed(/^event: connected$/m);
  roll();
  expect(await program.printed(/^event: roll\ndata: .*$/m)).toContain('"formula":"2d6 + 3"');
});

it('has a program that reads where the stream cannot vouch for it', { timeout: 90_000 }, async () => {
  const program = run('tracker');
  await program.printed(/^read: round 1$/m);
  act('next-round');
  expect(await program.printed(/^told: round 2$/m)).toBe('told: round 2');
});

it('has a program that goes on where it stopped', { timeout: 90_000 }, async () => {
  const first = run('remember');
  await first.printed(/^recovered: false$/m);
  roll();
  await first.printed(/^Roll: \d+$/m);
  await first.end();
  roll();
  const second = run('remember');
  expect(await second.printed(/^recovered: \w+$/m)).toBe('recovered: true');
  expect(await second.printed(/^Roll: \d+$/m)).toMatch(/^Roll: \d+$/);
});

it('has a program that makes a ticket, whose address needs no key', { timeout: 90_000 }, async () => {
  const printed = await run('ticket').printed(/new EventSource\('.*'\)/);
  const [, address = ''] = /'(.*)'/.exec(printed) ?? [];
  const answer = await fetch(address);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  await answer.body?.cancel();
});

it('has a module whose dice are heard', { timeout: 90_000 }, async () => {
  run('emit', { PAIRING_CODE: await pairingCode() });
  const cup = async () => {
    const { items } = (await account.as('GET', '/auth/known-clients')).body as {
      items: { clientId: string; worldTitle: string; isOnline: boolean }[];
    };
    return items.find(({ worldTitle, isOnline }) => worldTitle === 'A cup of dice' && isOnline)?.clientId;
  };
  await expect.poll(cup, { timeout: 45_000 }).toBeDefined();
  const key = await account.createKey({ scopes: ['events:subscribe'], clientIds: [(await cup()) ?? ''] });
  const answer = await fetch(`${url}/rolls/subscribe`, { headers: { 'x-api-key': key } });
  let heard = '';
  for await (const bytes of answer.body ?? []) {
    heard += Buffer.from(bytes).toString();
    if (heard.includes('event: roll')) break;
  }
  expect(heard).toContain('"formula":"1d20"');
});
