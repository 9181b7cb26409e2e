import { createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startInstances } from '../../../apps/relay/test/instances.ts';
import type { TestInstances } from '../../../apps/relay/test/instances.ts';
import { waitFor } from '@tabletop-relay/testing';
import { makeFolder, runCli } from './run-cli.ts';

let relay: TestInstances;
let url: string;
let account: TestAccount;

beforeAll(async () => {
  relay = await startInstances();
  [{ url }] = relay.instances;
  account = await createAccount(url);
});
afterAll(() => relay.stop());

const main = path.join(import.meta.dirname, '../src/main.ts');

/** A process of its own, without a terminal, a home, a browser: what a container has. */
function start(args: readonly string[], config: string) {
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH: '/usr/bin:/bin', XDG_CONFIG_HOME: config },
    // A new session has no controlling terminal.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (data: Buffer) => (said.stdout += data.toString()));
  child.stderr.on('data', (data: Buffer) => (said.stderr += data.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { pid: child.pid ?? 0, said, ended, kill: () => child.kill('SIGINT') };
}

const codeIn = async (said: { stderr: string }) => {
  await waitFor(() => /approve\/(\w+)\n/.test(said.stderr), { timeoutMs: 30_000 });
  return /approve\/(\w+)\n/.exec(said.stderr)?.[1] ?? '';
};

it(
  'a log-in needs no terminal, home, keyring or browser, and says no secret to anybody',
  { timeout: 90_000 },
  async () => {
    const config = makeFolder();
    const program = start(['login', url, '--scopes', 'clients:read,world:read', '--debug'], config);
    const code = await codeIn(program.said);
    expect((await account.as('GET', `/auth/key-request/${code}`)).body).toMatchObject({
      scopes: ['clients:read', 'world:read'],
      callbackHost: null,
    });
    const visible = readFileSync(`/proc/${program.pid}/cmdline`, 'utf8');
    await account.as('POST', `/auth/key-request/${code}/approve`, { scopes: ['clients:read'] });
    expect(await program.ended, program.said.stderr).toBe(0);
    expect(JSON.parse(program.said.stdout)).toMatchObject({ url, scopes: ['clients:read'] });

    const kept = JSON.parse(readFileSync(path.join(config, 'tabletop-relay/profiles.json'), 'utf8')) as {
      profiles: Record<string, { apiKey: string }>;
    };
    const { apiKey = '' } = Object.values(kept.profiles)[0] ?? {};
    expect(apiKey).toMatch(/^trk_\w{30,}$/);
    for (const text of [visible, program.said.stdout, program.said.stderr])
      expect(text).not.toContain(apiKey);
    // The link has the code; what is told of the polls has not.
    expect(
      program.said.stderr
        .split('\n')
        .filter((line) => line.startsWith('GET '))
        .join('\n'),
    ).not.toContain(code);

    const worlds = start(['worlds'], config);
    expect(await worlds.ended, worlds.said.stderr).toBe(0);
    expect(JSON.parse(worlds.said.stdout)).toEqual({ clients: [], total: 0 });
  },
);

it(
  'a log-in that is denied ends with 4, one that nobody approves by itself, and one that is interrupted with 130',
  { timeout: 90_000 },
  async () => {
    const interrupted = start(['login', url], makeFolder());
    await codeIn(interrupted.said);
    interrupted.kill();
    expect(await interrupted.ended).toBe(130);

    const endingBy = async (end: (code: string) => Promise<unknown>) =>
      await runCli(['login', url], {
        env: { XDG_CONFIG_HOME: makeFolder() },
        onOutput: (text) => {
          const [, code] = /approve\/(\w+)\n/.exec(text) ?? [];
          if (code) void end(code);
        },
      });
    const denied = await endingBy((code) => account.as('POST', `/auth/key-request/${code}/deny`));
    expect(denied).toMatchObject({ code: 4, stdout: '' });
    expect(denied.stderr).toContain('key_request_denied');
    const expired = await endingBy(() =>
      relay.db
        .updateTable('keyRequests')
        .set({ expiresAt: new Date(0) })
        .execute(),
    );
    expect(expired).toMatchObject({ code: 4, stdout: '' });
    expect(expired.stderr).toContain('key_request_expired');
  },
);
