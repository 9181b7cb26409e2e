import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAccount } from '../../account.ts';
import { startInstances } from '../../instances.ts';
import type { TestInstances } from '../../instances.ts';
import { connectDemoWorld } from '../assistant.ts';

/** The suite brings 51 MB, so it is no part of the workspace: it has a lockfile of its own. */
const suite = path.join(import.meta.dirname, '../../../../../tools/mcp');

let cluster: TestInstances;
let world: Awaited<ReturnType<typeof connectDemoWorld>>;
let proxy: Server;
let results: string;

beforeAll(async () => {
  const install = await run('npx', [
    '-y',
    'pnpm@10.34.9',
    'install',
    '--ignore-workspace',
    '--frozen-lockfile',
  ]);
  if (install.status !== 0) throw new Error(install.output);
  cluster = await startInstances();
  const [{ url }] = cluster.instances;
  const account = await createAccount(url);
  world = await connectDemoWorld(url, await account.pair({ worldId: 'sunken-chapel' }));
  proxy = await addKey(url, await account.createKey());
  results = mkdtempSync(path.join(os.tmpdir(), 'mcp-conformance-'));
}, 600_000);
afterAll(async () => {
  proxy.close();
  world.close();
  await cluster.stop();
  rmSync(results, { recursive: true });
});

it.each(['2025-11-25', '2026-07-28'])(
  'what the official suite requires of a server of %s holds, but for what is not offered',
  async (revision) => {
    const { port } = proxy.address() as AddressInfo;
    const { status, output } = await run('node', [
      'node_modules/@modelcontextprotocol/conformance/dist/index.js', 'server',
      '--url', `http://localhost:${port}/mcp`, '--requirements', revision,
      '--expected-failures', `expected-failures-${revision}.yaml`, '--output-dir', path.join(results, revision),
    ]); // prettier-ignore
    expect(status, output.slice(-20_000)).toBe(0);
  },
  600_000,
);

interface Ran {
  status: number;
  output: string;
}

const run = (command: string, args: string[]): Promise<Ran> =>
  new Promise((resolve) => {
    // The Node that runs this test: the suite needs 22.
    const env = { ...process.env, PATH: `${path.dirname(process.execPath)}:${process.env['PATH']}` };
    execFile(command, args, { cwd: suite, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolve({ status: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
    );
  });

/** The suite can send no key, so it goes by a way that adds one and changes nothing else. */
async function addKey(url: string, key: string): Promise<Server> {
  const server = createServer((asked, answer) => {
    const { method, url: at, headers } = asked;
    const { port } = new URL(url);
    const options = { host: '127.0.0.1', port, method, path: at, headers: { ...headers, 'x-api-key': key } };
    const passed = request(options, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
