import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { call, connectModule, createAccount } from '../packages/testing/src/scenes/index.ts';
import type { TestAccount } from '../packages/testing/src/scenes/index.ts';
import { startInstances } from '../apps/relay/test/instances.ts';
import type { TestInstances } from '../apps/relay/test/instances.ts';
import {
  execute,
  findDebianProgram,
  spawnBound,
  startPostgres,
  waitFor,
} from '../packages/testing/src/index.ts';
import { exampleIn, readPage, root } from './markdown-files.ts';

let cluster: TestInstances;
let url: string;
let account: TestAccount;
const folder = mkdtempSync(path.join(os.tmpdir(), 'relay-examples-'));

beforeAll(async () => {
  cluster = await startInstances();
  [{ url }] = cluster.instances;
  account = await createAccount(url);
  mkdirSync(path.join(folder, 'node_modules/@tabletop-relay'), { recursive: true });
  for (const name of ['sdk', 'module-sdk']) {
    symlinkSync(path.join(root, 'packages', name), path.join(folder, 'node_modules/@tabletop-relay', name));
  }
});
afterAll(async () => {
  await cluster.stop();
  rmSync(folder, { recursive: true });
});

interface Run {
  output(): string;
  ended: Promise<number | null>;
}

/** Runs a program of a page as it stands there, but against the instance of this test. */
function run(command: string, args: string[], env: Record<string, string> = {}): Run {
  const child = spawnBound({ command, env }, args);
  let output = '';
  for (const stream of [child.process.stdout, child.process.stderr])
    stream?.on('data', (data: Buffer) => (output += data.toString()));
  onTestFinished(() => child.end('SIGKILL'));
  const ended = new Promise<number | null>((resolve) => child.process.once('close', resolve));
  return { output: () => output, ended };
}

function runExample(pageName: string, name: string, env?: Record<string, string>): Run {
  const file = path.join(folder, `${name}.mjs`);
  writeFileSync(file, exampleIn(readPage(pageName), name).replaceAll('http://localhost:3010', url));
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  return run(process.execPath, [file], env);
}

/** What a running example has printed, once it has. */
async function printed(program: Run, pattern: RegExp): Promise<string> {
  await waitFor(() => pattern.test(program.output()), { timeoutMs: 45_000 }).catch(() => {});
  expect(program.output()).toMatch(pattern);
  return pattern.exec(program.output())?.[1] ?? '';
}

const rolled = {
  data: { actorUuid: 'Actor.mira', skill: 'prc', total: 13, formula: '1d20 + 5', result: '8 + 5' },
};

describe('the README', { timeout: 90_000 }, () => {
  it('has a curl line that answers as shown', async () => {
    const pairing = await account.pair();
    const module = await connectModule(url, pairing, () => rolled);
    onTestFinished(() => module.close());
    const readme = readPage('README.md');
    const line = /^curl -s '[^]*/m.exec(exampleIn(readme, 'start'))?.[0] ?? '';
    const ours = line
      .replace('http://localhost:3010', url)
      .replace(/clientId=[^']+/, `clientId=${pairing.clientId}`)
      .replace(/trk_\w+/, await account.createKey({ scopes: ['roll:execute'] }));
    const curl = await findDebianProgram('curl');
    const folders = `${path.dirname(curl.command)}:${process.env['PATH']}`;
    const program = run('bash', ['-c', ours], { ...curl.env, PATH: folders });
    expect(await program.ended).toBe(0);
    // The page breaks the one line that comes.
    const shown = (/^\{"type":"skill-check-result"[^`]*/m.exec(readme)?.[0] ?? '').replaceAll(/\n */g, '');
    const withoutId = (text: string) => text.replace(/skill-check_\d+/, '');
    expect(withoutId(program.output())).toBe(withoutId(shown));
  });

  it('has lines for a shell, and a program, that roll', async () => {
    const pairing = await account.pair();
    const module = await connectModule(url, pairing, () => rolled);
    onTestFinished(() => module.close());
    const apiKey = await account.createKey({ scopes: ['roll:execute'], clientIds: [pairing.clientId] });
    const curl = await findDebianProgram('curl');
    const folders = [path.dirname(curl.command), path.dirname(process.execPath), process.env['PATH']].join(
      ':',
    );
    const lines = exampleIn(readPage('README.md'), 'shell').replaceAll('http://localhost:3010', url);
    const shell = run('bash', ['-euc', `cd '${folder}'\n${lines}`], {
      ...curl.env,
      PATH: folders,
      API_KEY: apiKey,
    });
    expect(await shell.ended, shell.output()).toBe(0);
    const answers = shell
      .output()
      .match(/\{"type".*?\}\}/g)
      ?.map((text) => JSON.parse(text) as object);
    expect(answers).toEqual([expect.objectContaining(rolled), expect.objectContaining(rolled)]);
    const program = runExample('README.md', 'sdk', { API_KEY: apiKey });
    expect(await program.ended, program.output()).toBe(0);
    expect(program.output()).toBe('13\n');
  });
});

it('the page on the socket has a program that calls and listens', { timeout: 90_000 }, async () => {
  const pairing = await account.pair();
  const module = await connectModule(url, pairing, () => rolled);
  onTestFinished(() => module.close());
  const apiKey = await account.createKey({
    scopes: ['roll:execute', 'events:subscribe'],
    clientIds: [pairing.clientId],
  });
  const program = runExample('docs/socket.md', 'connect', { API_KEY: apiKey });
  await printed(program, /rolled 13\nlistening/);
  const data = { eventType: 'create', data: { id: 'm', content: 'Hello', whisper: [] } };
  module.send({ type: 'chat-event', data });
  expect(await program.ended, program.output()).toBe(0);
});

describe('the page on the first call', { timeout: 90_000 }, () => {
  it('has a program that rolls', async () => {
    const pairing = await account.pair();
    const module = await connectModule(url, pairing, () => rolled);
    onTestFinished(() => module.close());
    const apiKey = await account.createKey({ scopes: ['roll:execute'], clientIds: [pairing.clientId] });
    const program = runExample('docs/first-call.md', 'first-call', { API_KEY: apiKey });
    expect(await program.ended, program.output()).toBe(0);
    expect(program.output()).toBe('Mira rolls 13 with 1d20 + 5\n');
  });
});

describe('the page on integrations', { timeout: 90_000 }, () => {
  it('has a device flow that ends with a key', async () => {
    const program = runExample('docs/integrations.md', 'device-flow');
    const code = await printed(program, /approve\/(\w+) /);
    await account.as('POST', `/auth/key-request/${code}/approve`, {});
    expect(await program.ended).toBe(0);
    expect(program.output()).toMatch(/^key trk_\w+ with encounter:read, roll:execute$/m);
  });

  it('has a web flow that ends with a key', async () => {
    const program = runExample('docs/integrations.md', 'web-flow');
    const code = await printed(program, /approve\/(\w+)\n/);
    const approved = await account.as('POST', `/auth/key-request/${code}/approve`, {});
    await call(String(approved.body['redirectUrl']), 'GET', '').catch(() => {});
    expect(await program.ended).toBe(0);
    expect(program.output()).toMatch(/^key trk_\w+ with world:read$/m);
  });
});

describe('the page on deploying', { timeout: 90_000 }, () => {
  it('has two database roles under which a relay and its worker run', async () => {
    const server = await startPostgres();
    onTestFinished(() => server.stop());
    const statements = exampleIn(readPage('docs/operations/deploy.md'), 'roles').split(';');
    for (const statement of statements) await execute(server.ownerUrl, statement);
    const as = (role: string) => server.ownerUrl.replace('//postgres@/postgres', `//${role}@/relay`);
    const env = { DATABASE_URL: as('relay_app'), MIGRATE_DATABASE_URL: as('relay_owner') };
    const migrate = () => run(process.execPath, [path.join(root, 'apps/worker/src/migrate.ts')], env);
    for (const expected of [/^applied 0001-/, /^the database is up to date$/m]) {
      const migration = migrate();
      expect(await migration.ended, migration.output()).toBe(0);
      expect(migration.output()).toMatch(expected);
    }
    await expect(execute(as('relay_app'), 'delete from audit_log')).rejects.toThrow('permission denied');
    const own = await startInstances({ databaseUrl: as('relay_app') });
    onTestFinished(() => own.stop());
    await createAccount(own.instances[0].url);
    const worker = run(process.execPath, [path.join(root, 'apps/worker/src/main.ts')], {
      DATABASE_URL: as('relay_app'),
      RELAY_SECRET: 'the one that relays seal with; long enough.',
    });
    await printed(worker, /working jobs off/);
  });
});
