import {
  callFormOf,
  commandLine,
  operationGroups,
  operationRequest,
  operations,
} from '@tabletop-relay/contract';
import type { Operation } from '@tabletop-relay/contract';
import { createAccount } from '@tabletop-relay/testing/scenes';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWorld, createWorldModule } from '../../../apps/demo-world/src/index.ts';
import { startInstances } from '../../../apps/relay/test/instances.ts';
import type { TestInstances } from '../../../apps/relay/test/instances.ts';
import { memoryStorage } from '../../module-sdk/src/index.ts';
import type { TabletopModule } from '../../module-sdk/src/index.ts';
import { makeFolder, runCli } from './run-cli.ts';

let relay: TestInstances;
let module: TabletopModule;
let env: Record<string, string>;
let clientId: string;

/** Examples are answered by a world as it is at its start, so each call has one of its own. */
const freshWorld = () => createWorld({ seed: 1 });

beforeAll(async () => {
  relay = await startInstances({ config: { callTimeoutMs: 60_000 } });
  const [{ url }] = relay.instances;
  const account = await createAccount(url);
  env = { TABLETOP_URL: url, TABLETOP_KEY: await account.createKey() };
  const pairing = await account.pair({ worldId: 'sunken-chapel', systemId: 'dnd5e' });
  ({ clientId } = pairing);
  const storage = memoryStorage({ clientId, connectionToken: pairing.token, pairedRelayUrl: url });
  module = createWorldModule(
    { ...freshWorld(), receive: (asked) => freshWorld().receive(asked) },
    { storage },
  );
  await module.connect();
});
afterAll(async () => {
  module.close();
  await relay.stop();
});

async function byHttp(operation: Operation, accept: string): Promise<Response> {
  const { parameters } = operation.example;
  const {
    method,
    path: address,
    body,
  } = operationRequest({ form: callFormOf(operation), parameters, clientId });
  return await fetch(`${env['TABLETOP_URL']}${address}`, {
    method,
    headers: { 'x-api-key': env['TABLETOP_KEY'] ?? '', accept, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
}

/** Ids and times are of each call its own. */
const comparable = (text: string) =>
  text
    .replaceAll(/_\d{13}\b/g, '_')
    .replaceAll(/\b1[78]\d{11}\b/g, '0')
    .replaceAll(/"id":"\w{16}"/g, '"id":""');

/** The command line of an example; what is secret stands in a file. */
function lineOf(operation: Operation): string[] {
  const line = commandLine(operation, { parameters: operation.example.parameters, clientId });
  return line.map((argument, index) => {
    if (line[index - 1] !== '--password') return argument;
    const file = path.join(makeFolder(), 'secret');
    writeFileSync(file, argument);
    return `@${file}`;
  });
}

/** What is different about a command line: nothing, or the operation's name with both answers. */
async function differenceOf(operation: Operation): Promise<string[]> {
  const { name, resultBytes, example } = operation;
  const args = lineOf(operation);
  const told = comparable(await (await byHttp(operation, 'application/json')).text());
  const flags = args.slice(args.indexOf('--world'));
  const input = JSON.stringify(example.parameters);
  const ran = [
    await runCli([...args, '--json'], { env }),
    // A picture is drawn once more for each call.
    ...(resultBytes ? [] : [await runCli(['call', name, '-', ...flags], { env, input })]),
  ];
  const differences = ran
    .filter(({ stdout }) => comparable(stdout).trimEnd() !== told)
    .map(({ stdout, stderr, code }) => `${name}: ${code} ${stderr}${stdout} is not ${told}`.slice(0, 1_000));
  if (!resultBytes) return differences;
  const field = resultBytes.field
    .split('.')
    .reduce((inner, part) => (inner as never)[part], JSON.parse(told));
  const { bytes } = await runCli(args, { env });
  const isSame = bytes.toString('base64') === String(field).split('base64,').at(-1);
  return isSame ? differences : [...differences, `${name}: other bytes`];
}

it.each(Object.keys(operationGroups))(
  'each example of %s answers a command line as it answers HTTP',
  { timeout: 90_000 },
  async (group) => {
    const ofGroup = operations.filter((operation) => operation.group === group);
    expect(ofGroup).not.toEqual([]);
    expect((await Promise.all(ofGroup.map(differenceOf))).flat()).toEqual([]);
  },
);

it('a file goes up and comes down as it was', async () => {
  const world = freshWorld();
  const account = await createAccount(env['TABLETOP_URL'] ?? '');
  const pairing = await account.pair();
  const kept = createWorldModule(world, {
    storage: memoryStorage({
      clientId: pairing.clientId,
      connectionToken: pairing.token,
      pairedRelayUrl: env['TABLETOP_URL'] ?? '',
    }),
  });
  await kept.connect();
  try {
    const own = { env: { ...env, TABLETOP_KEY: await account.createKey() } };
    const folder = makeFolder();
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 256));
    const file = path.join(folder, 'bell.png');
    writeFileSync(file, bytes);
    const up = await runCli(['upload', file, 'handouts'], own);
    expect([up.stderr, up.code]).toEqual(['', 0]);
    expect(JSON.parse(up.stdout)).toMatchObject({ success: true, path: 'handouts/bell.png' });

    const to = path.join(folder, 'down.png');
    const down = await runCli(['download', 'handouts/bell.png', '--output', to], own);
    expect(JSON.parse(down.stdout)).toEqual({ file: to, bytes: 70_000, type: 'image/png', name: 'bell.png' });
    expect((await runCli(['download', 'handouts/bell.png', '--output', '-'], own)).bytes.equals(bytes)).toBe(
      true,
    );

    const again = await runCli(['upload', file, 'handouts'], own);
    expect([again.code, JSON.parse(again.stderr)]).toMatchObject([
      3,
      { code: 'operation_failed', reason: 'already_exists' },
    ]);
    const replaced = ['upload', '-', 'handouts', '--name', 'bell.png', '--overwrite'];
    expect((await runCli(replaced, { ...own, input: 'x' })).code).toBe(2);
    expect((await runCli([...replaced, '--yes'], { ...own, input: 'x' })).code).toBe(0);
    expect((await runCli(['download', 'handouts/bell.png', '--output', '-'], own)).stdout).toBe('x');
  } finally {
    kept.close();
  }
});
