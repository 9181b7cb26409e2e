import { operations } from '@tabletop-relay/contract';
import { createAccount } from '@tabletop-relay/testing/scenes';
import { unzipSync } from 'fflate';
import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../../apps/dashboard/src/pages/try-it/code/api-call.ts';
import { asPython } from '../../../apps/dashboard/src/pages/try-it/code/code.ts';
import { packWheel } from '../../../apps/relay/src/http/documents/python-wheel.ts';
import { startInstances } from '../../../apps/relay/test/instances.ts';
import type { TestInstances } from '../../../apps/relay/test/instances.ts';
import { exampleIn, examplesIn, readPage, root } from '../../../docs/markdown-files.ts';
import { foundPython, makePython } from '@tabletop-relay/testing';

const own = path.join(root, 'packages/sdk-python');
const run = promisify(execFile);
const home = mkdtempSync(path.join(os.tmpdir(), 'relay-python-'));
/** Checkers and builders, with all that they need. */
const tools = [
  'ast_serialize==0.13.1',
  'hatchling==1.33.0',
  'librt==0.17.0',
  'mypy==2.4.1',
  'mypy_extensions==1.2.0',
  'packaging==26.4',
  'pathspec==1.1.1',
  'pip==26.2',
  'pluggy==1.7.0',
  'ruff==0.17.6',
  'tomlkit==0.15.2',
  'trove-classifiers==2026.9.21.13',
];

/** What a program printed, of failures too; empty where it has nothing to say. */
async function said(command: string, args: readonly string[], cwd: string): Promise<string> {
  const env = { ...process.env, PYTHONPATH: path.join(own, 'src'), PYTHONDONTWRITEBYTECODE: '1' };
  const ended = run(command, args, { cwd, env, maxBuffer: 2 ** 26 });
  const { stdout, stderr } = await ended.catch(
    (error: unknown) => error as { stdout: string; stderr: string },
  );
  return stdout + stderr;
}

describe.skipIf(foundPython() === '')('the package for Python', { timeout: 300_000 }, () => {
  let python: string;
  let cluster: TestInstances;
  let url: string;
  /** A copy, so that checkers leave nothing in the checkout, with the pages' programs beside it. */
  const copy = path.join(home, 'sdk-python');

  beforeAll(async () => {
    python = await makePython(tools);
    cluster = await startInstances();
    [{ url }] = cluster.instances;
    cpSync(own, copy, { recursive: true, filter: (file) => !file.includes('node_modules') });
    mkdirSync(path.join(copy, 'examples'));
    const pages = ['docs/python.md', 'packages/sdk-python/README.md'];
    const examples = pages.flatMap((page) => examplesIn(readPage(page), 'python'));
    for (const [index, text] of examples.entries())
      writeFileSync(path.join(copy, `examples/page_${index}.py`), text);
    for (const operation of operations) {
      const call = {
        operation,
        clientId: 'c',
        parameters: operation.example.parameters,
        userId: 'ada',
      };
      const text = asPython(codeOf(call), { origin: url, apiKey: 'k' });
      writeFileSync(path.join(copy, `examples/${operation.name.replaceAll('-', '_')}.py`), `${text}\n`);
    }
  }, 300_000);
  afterAll(async () => {
    await cluster.stop();
    rmSync(home, { recursive: true });
  });

  it('is as mypy wants it, strictly, with its tests and the programs of the pages', async () => {
    const files = globSync('examples/*.py', { cwd: copy });
    expect(files.length).toBeGreaterThan(operations.length);
    const command = ['-m', 'mypy', '--strict', '--scripts-are-modules', 'src', 'test', ...files];
    expect(await said(python, command, copy)).toMatch(/^Success: no issues found/);
  });

  it('is as pyright wants it, strictly', async () => {
    const bounds = ['--pythonpath', python, '--project', 'pyproject.toml'];
    expect(await said('npx', ['-y', 'pyright@1.1.414', ...bounds], copy)).toMatch(/^0 errors, 0 warnings/m);
  });

  it('is as ruff wants it', async () => {
    expect(await said(python, ['-m', 'ruff', 'check', 'src', 'test'], copy)).toBe('All checks passed!\n');
    const format = ['-m', 'ruff', 'format', '--check', 'src', 'test'];
    expect(await said(python, format, copy)).toMatch(/^\d+ files already formatted\n$/);
  });

  it('has types that tell a wrong call, and what an answer and an event have', async () => {
    writeFileSync(path.join(copy, 'wrong.py'), typedCalls);
    const told = await said(python, ['-m', 'mypy', '--strict', 'wrong.py'], copy);
    const lines = [...told.matchAll(/^wrong\.py:(\d+): error/gm)].map(([, line]) => Number(line));
    const expected = typedCalls
      .split('\n')
      .flatMap((text, index) => (text.includes('# wrong') ? [index + 1] : []));
    expect([...new Set(lines)], told).toEqual(expected);
  });

  it('holds what hatchling would pack', async () => {
    const dist = path.join(home, 'dist');
    await said(python, ['-m', 'hatchling', 'build', '--target', 'wheel', '--directory', dist], copy);
    const [file = ''] = globSync('*.whl', { cwd: dist });
    const wheel = packWheel(own);
    expect(file).toBe(wheel?.plainName);
    const members = (bytes: Uint8Array) => {
      const files = Object.entries(unzipSync(bytes)).filter(([name]) => !/(WHEEL|RECORD)$/.test(name));
      return Object.fromEntries(files.map(([name, content]) => [name, Buffer.from(content).toString()]));
    };
    expect(members(wheel?.bytes ?? new Uint8Array())).toEqual(members(readFileSync(path.join(dist, file))));
  });

  it('is installed by its line, checks its own record, and calls', async () => {
    const empty = path.join(home, 'empty');
    await run(python, ['-m', 'venv', '--without-pip', empty]);
    const inside = path.join(empty, 'bin/python');
    const line = exampleIn(readPage('packages/sdk-python/README.md'), 'python-install').trim();
    const wheel = line.replace('pip install ', '').replace('http://localhost:3010', url);
    const install = ['-m', 'pip', '--python', inside, 'install', '--quiet', wheel];
    expect(await said(python, install, home)).not.toMatch(/error/i);
    const apiKey = await (await createAccount(url)).createKey();
    const program = `
import sys, tabletop_relay
assert "empty" in tabletop_relay.__file__
print(tabletop_relay.Relay(sys.argv[1], sys.argv[2]).clients()["total"])`;
    const { stdout } = await run(inside, ['-c', program, url, apiKey]);
    expect(stdout).toBe('0\n');
  });

  it('adds at most 15 ms to the import of its one dependency', async () => {
    // What is compiled is kept, as it is for those who have installed it.
    const { PYTHONDONTWRITEBYTECODE: _, ...rest } = process.env;
    const cached = { ...rest, PYTHONPATH: path.join(own, 'src'), PYTHONPYCACHEPREFIX: home };
    const program = `
import httpx2, time
start = time.process_time()
import tabletop_relay
print(time.process_time() - start)`;
    const times: number[] = [];
    // The first one compiles.
    for (let runs = 0; runs <= 20; runs += 1)
      times.push(Number((await run(python, ['-c', program], { env: cached })).stdout) * 1_000);
    const [median = Infinity] = times
      .slice(1)
      .toSorted((one, other) => one - other)
      .slice(10);
    expect(median).toBeLessThan(15);
  });
});

const typedCalls = `
from tabletop_relay import AsyncRelay, Relay

relay = Relay("https://relay.example", "k")
total: float | None = relay.sys5e.skill_check(actor_uuid="Actor.mira", skill="prc")["data"].get("total")
relay.sys5e.skill_check(actor_uuid="Actor.mira", skill="juggling")  # wrong
relay.sys5e.skill_check(skill="prc")  # wrong
relay.sys5e.fly()  # wrong
relay.utility.players(idempotency_key="a")  # wrong
relay.sys5e.skill_check(actor_uuid="Actor.mira", skill="prc")["data"]["totale"]  # wrong
for event in relay.events.combat():
    if event["event"] == "connected":
        recovered: bool = event["data"]["recovered"]
    elif event["event"] == "combat-turn":
        encounter: str = event["data"]["encounterId"]
        event["data"]["recovered"]  # wrong


async def main() -> None:
    other = AsyncRelay("https://relay.example", "k")
    name: str = (await other.files.download_file(path="a")).type
    (await other.clients())["totale"]  # wrong
`;
