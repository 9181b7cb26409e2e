import { findDebianProgram, spawnBound, waitFor } from '@tabletop-relay/testing';
import { createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startInstances } from '../../../apps/relay/test/instances.ts';
import type { TestInstances } from '../../../apps/relay/test/instances.ts';
import { exampleIn, examplesIn, readPage, root } from '../../../docs/markdown-files.ts';

const names = ['sdk', 'module-sdk'] as const;
/** Somebody's folder, outside of this workspace. */
const home = mkdtempSync(path.join(os.tmpdir(), 'relay-published-'));
/** What the READMEs have people make in it. */
const folders = { sdk: path.join(home, 'my-bot'), 'module-sdk': path.join(home, 'my-world') };
const readmes = { sdk: 'packages/sdk/README.md', 'module-sdk': 'packages/module-sdk/README.md' };

let cluster: TestInstances;
let url: string;
let account: TestAccount;
let env: Record<string, string>;

const execute = promisify(execFile);
const pack = (name: string) =>
  execute('pnpm', ['--silent', 'build'], { cwd: path.join(root, 'packages', name) });
const installed = (name: (typeof names)[number], file: string) =>
  readFileSync(path.join(folders[name], 'node_modules/@tabletop-relay', name, file), 'utf8');
const ours = (page: string, example: string) =>
  exampleIn(readPage(page), example).replaceAll('http://localhost:3010', url);

beforeAll(async () => {
  const curl = await findDebianProgram('curl');
  env = { ...(process.env as typeof env), ...curl.env, npm_config_offline: 'true' };
  env['PATH'] = `${path.dirname(curl.command)}:${env['PATH']}`;
  await Promise.all(names.map(pack));
  cluster = await startInstances();
  [{ url }] = cluster.instances;
  account = await createAccount(url);
  for (const name of names)
    await execute('bash', ['-euc', ours(readmes[name], 'install')], { cwd: home, env });
}, 120_000);
afterAll(async () => {
  await cluster.stop();
  rmSync(home, { recursive: true });
});

describe('as their READMEs say', () => {
  it('a world of the module SDK pairs and answers, and a program of the SDK calls it in the oldest Node that it names', async () => {
    const world = path.join(folders['module-sdk'], 'world.mjs');
    writeFileSync(world, ours(readmes['module-sdk'], 'module'));
    const { code } = (await account.as('POST', '/auth/pairing-codes', {})).body;
    const command = `cd ${folders['module-sdk']} && exec ${process.execPath} world.mjs`;
    const run = spawnBound({ command: 'bash', env: { ...env, PAIRING_CODE: String(code) } }, ['-c', command]);
    onTestFinished(() => run.end('SIGKILL'));
    let said = '';
    for (const stream of [run.process.stdout, run.process.stderr])
      stream?.on('data', (data: Buffer) => (said += data.toString()));
    await waitFor(() => said !== '', { timeoutMs: 30_000 });
    expect(said).toBe('The world is connected.\n');

    const bot = path.join(folders.sdk, 'roll.mjs');
    writeFileSync(bot, ours('README.md', 'sdk'));
    const roll = async (apiKey: string) => {
      const { stdout } = await execute(await nodeTwenty(), [bot], { env: { ...env, API_KEY: apiKey } });
      return stdout;
    };
    expect(await roll(await account.createKey())).toMatch(/^\d+\n$/);
    await expect(roll('trk_none')).rejects.toThrow('key_invalid');
  });

  it('what is not there is told in the oldest Node too, where the platform lacks it', async () => {
    const file = path.join(folders['module-sdk'], 'lacks.mjs');
    writeFileSync(file, lacking);
    const { stdout } = await execute(await nodeTwenty(), [file], { env });
    expect(stdout).toBe('connection_failed\nnot_paired\nThis platform has no WebSocket\n');
  });
});

describe.each(names)('the package %s', (name) => {
  it('needs no other package, and every file that it names is in it', () => {
    const manifest = JSON.parse(installed(name, 'package.json')) as Record<string, unknown>;
    expect(manifest).toMatchObject({ type: 'module', publishConfig: { access: 'public', provenance: true } });
    for (const field of ['dependencies', 'peerDependencies', 'optionalDependencies', 'private'])
      expect(manifest).not.toHaveProperty(field);
    const named = JSON.stringify(manifest['exports']).match(/\.\/[\w./-]+\.(?:json|js|ts)/g) ?? [];
    expect(named.length).toBeGreaterThan(2);
    for (const file of named) expect(installed(name, file), file).not.toBe('');
  });

  it('has its types written out, and no schemas', () => {
    const types = installed(name, 'dist/index.d.ts');
    expect(types).toMatch(/["']skill-check["']: \{/);
    expect(types).not.toMatch(/typebox|TSchema|Static<|@tabletop-relay/i);
    expect(installed(name, 'dist/index.js')).not.toMatch(/typebox|additionalProperties|from ["']@/i);
  });

  it('comes with its licence and how to use it', () => {
    expect(installed(name, 'LICENSE')).toContain('MIT License');
    expect(installed(name, 'README.md')).toContain(`# @tabletop-relay/${name}`);
  });

  it('is the same file whenever it is built from the same sources', async () => {
    const tarball = `tabletop-relay-${name}-${versionOf(name)}.tgz`;
    await pack(name);
    const again = readFileSync(path.join(root, 'packages', name, 'dist', tarball));
    expect(again.equals(readFileSync(path.join(folders[name], tarball)))).toBe(true);
  });
});

it('both compile in a strict project, which checks what is given and what comes', async () => {
  const files = Object.fromEntries(names.map((name) => [name, path.join(folders[name], 'use.ts')]));
  writeFileSync(
    files['sdk'] ?? '',
    `${examplesIn(readPage('packages/sdk/README.md'), 'ts').join('\n')}\n${typedCalls}`,
  );
  writeFileSync(files['module-sdk'] ?? '', typedModule);
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022', 'dom'],
    types: [],
    noEmit: true,
  };
  writeFileSync(
    path.join(home, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: Object.values(files) }),
  );
  for (const name of names) writeFileSync(path.join(folders[name], 'package.json'), '{ "type": "module" }');
  const tsc = path.join(root, 'node_modules/.bin/tsc');
  const { stdout } = await execute(tsc, ['--project', home]).catch(
    (error: unknown) => error as { stdout: string },
  );
  expect(stdout).toBe('');
}, 60_000);

describe('what a bundler makes', () => {
  const bundle = async (name: (typeof names)[number], what: string) => {
    writeFileSync(path.join(folders[name], 'entry.js'), `export ${what} from '@tabletop-relay/${name}';`);
    const built = await build({
      root: folders[name],
      configFile: false,
      logLevel: 'error',
      build: { write: false, lib: { entry: 'entry.js', formats: ['es'] } },
    });
    const outputs = Array.isArray(built) ? built.flatMap(({ output }) => output) : [];
    return outputs.map((output) => (output.type === 'chunk' ? output.code : '')).join('');
  };

  it.each([
    ['the whole SDK for callers', 'sdk', '*', 15_000],
    ['its event streams alone', 'sdk', '{ createEventStreams }', 6_000],
    ['the SDK for modules', 'module-sdk', '*', 9_500],
  ] as const)('of %s is small, and needs nothing of Node', async (_what, name, what, most) => {
    const bundled = await bundle(name, what);
    expect(bundled).not.toMatch(/["']node:/);
    expect(gzipSync(bundled).length).toBeLessThan(most);
  });

  it('is not needed for that: the file for callers is itself below 15 KB, compressed', () => {
    expect(gzipSync(installed('sdk', 'dist/index.js')).length).toBeLessThan(15_000);
  });
});

function versionOf(name: (typeof names)[number]): string {
  return (JSON.parse(installed(name, 'package.json')) as { version: string }).version;
}

/** Node 20 if one is on the path, else the one that runs this. */
async function nodeTwenty(): Promise<string> {
  for (const folder of (env['PATH'] ?? '').split(path.delimiter)) {
    const file = path.resolve(folder, 'node');
    if (!existsSync(file)) continue;
    const { stdout } = await execute(file, ['--version']);
    if (stdout.startsWith('v20.')) return file;
  }
  return process.execPath;
}

/** Nobody listens at the address, nothing is stored, and no platform has a WebSocket where none is. */
const lacking = `
import { createServer } from 'node:net';
import { createModule, memoryStorage } from '@tabletop-relay/module-sdk';
import { createRelay } from '../my-bot/node_modules/@tabletop-relay/sdk/dist/index.js';

const server = createServer().listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  server.close(async () => {
    const relay = createRelay({ url: 'http://127.0.0.1:' + port, apiKey: 'k' });
    await relay.clients().catch((error) => console.log(error.code));
    const options = { world: {}, storage: memoryStorage(), handlers: {} };
    await createModule({ ...options, WebSocket: class {} }).connect().catch((error) => console.log(error.code));
    delete globalThis.WebSocket;
    try { createModule(options); } catch (error) { console.log(error.message.split(';')[0]); }
  });
});
`;

const typedCalls = `
import { createAccountClient } from '@tabletop-relay/sdk';
import type { Relay, Scope } from '@tabletop-relay/sdk';

const other: Relay = createRelay({ url: '', apiKey: '' });
(await other.sys5e.skillCheck({ actorUuid: 'Actor.mira', skill: 'prc' })).data.total satisfies number | undefined;
// @ts-expect-error There is no such skill.
await other.sys5e.skillCheck({ actorUuid: 'Actor.mira', skill: 'juggling' });
// @ts-expect-error The actor is missing.
await other.sys5e.skillCheck({ skill: 'prc' });
// @ts-expect-error There is no such operation.
await other.sys5e.fly();
for await (const event of other.events.combat())
  if (event.event === 'connected') event.data.recovered satisfies boolean;
const scope: Scope = 'roll:execute';
(await createAccountClient().createApiKey({ name: 'Bot', scopes: [scope] })).apiKey satisfies string;
// @ts-expect-error There is no such scope.
await createAccountClient().createApiKey({ name: 'Bot', scopes: ['tea:pour'] });
`;

const typedModule = `
import { createModule, memoryStorage } from '@tabletop-relay/module-sdk';
import type { Handlers } from '@tabletop-relay/module-sdk';
import { fileStorage } from '@tabletop-relay/module-sdk/node';

const handlers: Handlers = {
  players: () => ({ users: [] }),
  'start-encounter': ({ tokenUuids }) => {
    throw new Error(tokenUuids?.join());
  },
  // @ts-expect-error The result lacks its fields.
  'skill-check': () => ({}),
};
const world = { worldId: '', worldTitle: '', tabletopVersion: '', systemId: '', systemTitle: '', systemVersion: '' };
const module = createModule({ world, storage: memoryStorage(), handlers });
module.emit('combat', { eventType: 'turn', encounterId: 'a' }) satisfies boolean;
createModule({ world, storage: fileStorage('a'), handlers });
`;
