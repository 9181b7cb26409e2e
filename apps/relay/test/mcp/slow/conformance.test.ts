import { findFreePort } from '@tabletop-relay/testing';
import { call, createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startInstances } from '../../instances.ts';
import type { TestInstances } from '../../instances.ts';
import { approve } from '../../oauth/program.ts';
import { connectDemoWorld } from '../assistant.ts';

/** The suite brings 51 MB, so it is no part of the workspace: it has a lockfile of its own. */
const suite = path.join(import.meta.dirname, '../../../../../tools/mcp');

let cluster: TestInstances;
let world: Awaited<ReturnType<typeof connectDemoWorld>>;
let proxy: Server;
let account: TestAccount;
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
  account = await createAccount(url);
  const pairing = await account.pair({ worldId: 'sunken-chapel' });
  world = await connectDemoWorld(url, pairing);
  const key = await account.createKey();
  const { body } = await call(url, 'POST', `/create?clientId=${pairing.clientId}`, {
    headers: { 'x-api-key': key },
    body: { entityType: 'Actor', data: { name: 'Guard 123', type: 'npc' } },
  });
  proxy = await translate(url, key, namesIn(pairing.clientId, String(body['uuid'])));
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

it('what the official suite requires of an authorization server holds', { timeout: 300_000 }, async () => {
  const [{ url }] = cluster.instances;
  const port = await findFreePort();
  const redirect = `http://127.0.0.1:${port}/callback`;
  const { body: client } = await call(url, 'POST', '/oauth/register', {
    // The suite sends no secret where clients may have none.
    body: { redirect_uris: [redirect], token_endpoint_auth_method: 'none' },
  });
  const args = [
    'node_modules/@modelcontextprotocol/conformance/dist/index.js', 'authorization',
    '--url', url, '--client-id', String(client['client_id']),
    '--resource', `${url}/mcp`, '--port', String(port), '--output-dir', path.join(results, 'authorization'),
  ]; // prettier-ignore
  const { status, output } = await run('node', args, (printed) => {
    const [address] = /https?:\/\/\S*\/oauth\/authorize\?\S+/.exec(printed) ?? [];
    // The person, who is led there and then back to the suite.
    if (address) void approve(url, account, address).then((answer) => fetch(`${redirect}?${answer}`));
    return address !== undefined;
  });
  expect(status, output.slice(-20_000)).toBe(0);
  expect(output).toMatch(/Total: 3 passed, 0 failed/);
});

interface Ran {
  status: number;
  output: string;
}

/** `hear` gets what it has printed so far, until it says that it has heard enough. */
const run = (command: string, args: string[], hear?: (printed: string) => boolean): Promise<Ran> =>
  new Promise((resolve) => {
    // The Node that runs this test: the suite needs 22.
    const env = { ...process.env, PATH: `${path.dirname(process.execPath)}:${process.env['PATH']}` };
    const options = { cwd: suite, env, maxBuffer: 64 * 1024 * 1024 };
    const child = execFile(command, args, options, (error, stdout, stderr) =>
      resolve({ status: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
    );
    let heard = '';
    let isEnough = hear === undefined;
    child.stdout?.on('data', (chunk: string) => {
      heard += chunk;
      if (!isEnough) isEnough = hear?.(heard) ?? true;
    });
  });

type Names = Readonly<Record<string, Record<string, unknown>>>;

/**
 * The suite calls tools, prompts and resources of its own example server. Here each of their names that means what the relay has too
 * is one of the relay's own, with what it takes. The others are in the files of expected failures, with their reasons.
 */
function namesIn(clientId: string, uuid: string): Names {
  const operation = (name: string, given: object) => ({
    name: 'call_operation',
    arguments: { name, world: clientId, arguments: given },
  });
  const asks = operation('delete', { uuid });
  return {
    test_simple_text: { name: 'worlds' },
    test_logging_tool: { name: 'worlds' },
    test_image_content: operation('scene-screenshot', { format: 'png', width: 24, height: 16 }),
    test_error_handling: operation('entity', { uuid: 'Actor.nobody' }),
    test_streaming_elicitation: asks,
    test_input_required_result_elicitation: asks,
    test_input_required_result_request_state: asks,
    test_input_required_result_tampered_state: asks,
    test_simple_prompt: { name: 'run_combat' },
    test_prompt_with_arguments: {
      name: 'prepare_session',
      arguments: { world: 'testValue1', idea: 'testValue2' },
    },
    'test://static-text': { uri: 'relay://worlds' },
    'test://template/123/data': { uri: `relay://${clientId}/entity/${uuid}` },
  };
}

/** The suite can send no key, so it goes by a way that adds one, and changes nothing but these names. */
async function translate(url: string, key: string, names: Names): Promise<Server> {
  const server = createServer((asked, answer) => {
    const pass = async () => {
      const body = await text(asked);
      const got = await forward(url, asked, key, (headers) => translated(names, body, headers));
      const said = await text(got);
      answer.writeHead(got.statusCode ?? 502, { 'content-type': got.headers['content-type'] ?? '' });
      // The relay asks for one answer and calls it `confirm`; the suite looks for it under a name of its own.
      const isOther = body.includes('test_input_required_result_elicitation');
      answer.end(isOther ? said.replace('"confirm":{"method"', '"user_name":{"method"') : said);
    };
    pass().catch(() => answer.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** With the headers as they came, `Host` too, which a `fetch` would write anew. */
function forward(
  url: string,
  asked: IncomingMessage,
  key: string,
  bodyFor: (headers: IncomingHttpHeaders) => string,
): Promise<IncomingMessage> {
  const { hostname, port } = new URL(url);
  const headers = { ...asked.headers, 'x-api-key': key };
  const body = bodyFor(headers);
  headers['content-length'] = String(Buffer.byteLength(body));
  return new Promise((resolve, reject) => {
    const passed = request({ hostname, port, method: asked.method, path: asked.url, headers }, resolve);
    passed.on('error', reject);
    passed.end(body);
  });
}

interface Asked {
  params?: { name?: string; uri?: string; inputResponses?: object };
}

/** The body as the relay is to get it; the header that repeats a name is changed with it. */
function translated(names: Names, body: string, headers: IncomingHttpHeaders): string {
  if (!body.startsWith('{')) return body;
  const message = JSON.parse(body) as Asked;
  const { name, uri, inputResponses, ...params } = message.params ?? {};
  const theirs = name ?? uri ?? '';
  const ours = Object.hasOwn(names, theirs) ? names[theirs] : undefined;
  if (!ours) return body;
  const answers = JSON.stringify({ inputResponses }).replace('"user_name":', '"confirm":');
  if (headers['mcp-name'] === theirs) headers['mcp-name'] = String(ours['name'] ?? ours['uri']);
  return JSON.stringify({ ...message, params: { ...params, ...ours, ...(JSON.parse(answers) as object) } });
}
