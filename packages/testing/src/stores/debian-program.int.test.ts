import { onPath } from '@tabletop-relay/chromium';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { fetchDebianProgram } from './debian-program.ts';

// This test downloads a package, so it runs in CI and not on each run of a developer.
const canFetch = process.env['CI'] !== undefined && onPath('apt-get') !== undefined;

test.runIf(canFetch)('a machine without Redis gets one without root, once for all who ask', async () => {
  const home = mkdtempSync(path.join(os.tmpdir(), 'relay-fetch-'));
  try {
    const status = path.join(home, 'status');
    writeFileSync(status, statusWithout(['redis-server', 'redis-tools', 'redis', 'liblzf1']));
    const options = {
      package: 'redis-server',
      program: 'redis-server',
      folder: path.join(home, 'redis'),
      status,
    };
    const [first, second] = await Promise.all([fetchDebianProgram(options), fetchDebianProgram(options)]);
    expect(second).toEqual(first);
    expect(first.command).toBe(path.join(home, 'redis/usr/bin/redis-server'));
    const { stdout } = await promisify(execFile)(first.command, ['--version'], { env: first.env });
    expect(stdout).toContain('Redis server v=');
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});

function statusWithout(packages: string[]): string {
  const stanzas = readFileSync('/var/lib/dpkg/status', 'utf8').split('\n\n');
  const gone = packages.map((name) => `Package: ${name}\n`);
  return stanzas.filter((stanza) => !gone.some((start) => stanza.trimStart().startsWith(start))).join('\n\n');
}
