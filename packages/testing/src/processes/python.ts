import { onPath } from '@tabletop-relay/chromium';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inject } from 'vitest';

const run = promisify(execFile);
/** Environments are kept here between runs, each under the hash of what is in it. */
const cacheFolder = fileURLToPath(
  new URL('../../../../node_modules/.cache/tabletop-relay/python', import.meta.url),
);

/** What the Python SDK depends on, all the way down. */
const needed = [
  'httpx2==2.16.2',
  'httpcore2==2.16.2',
  'anyio==4.16.0',
  'h11==0.16.0',
  'idna==3.20',
  'truststore==0.10.5',
  'typing_extensions==4.16.0',
];

/** A library that programs in Python use for sockets, without dependencies. */
const others = ['websockets==17.4'];

/**
 * Makes an environment of Python, of 3.11 or later, with the Python SDK's dependency and with these packages from PyPI, whose
 * own dependencies are named too. Rejects within three minutes where there is no Python with venv, or no PyPI.
 */
export async function makePython(more: readonly string[] = []): Promise<string> {
  const python = process.env['PYTHON'] ?? onPath('python3');
  if (python === undefined)
    throw new Error('there is no python3 on PATH; install it, or set PYTHON to its path');
  const ask =
    'import sys, venv, ensurepip; assert sys.version_info >= (3, 11); print(sys.version, sys.prefix)';
  const { stdout: version } = await run(python, ['-c', ask]).catch(() => {
    throw new Error(`${python} is older than 3.11 or has no venv (package python3-venv)`);
  });
  const packages = [...needed, ...others, ...more];
  const hash = createHash('sha256')
    .update(version + packages.join(' '))
    .digest('hex')
    .slice(0, 12);
  const folder = path.join(cacheFolder, hash);
  if (!existsSync(folder)) await install(python, packages, folder);
  return path.join(folder, 'bin/python');
}

/** Beside its place, and moved there when it is whole: two runs may do so at once. */
async function install(python: string, packages: readonly string[], folder: string): Promise<void> {
  const half = `${folder}.${process.pid}`;
  const inside = path.join(half, 'bin/python');
  mkdirSync(cacheFolder, { recursive: true });
  try {
    // A pip that is here installs into another environment, and making one for each takes longer than all the rest.
    const pip = await run(python, ['-m', 'pip', '--version']).then(
      () => [python, '-m', 'pip', '--python', inside],
      () => [inside, '-m', 'pip'],
    );
    const without = pip[0] === python ? ['--without-pip'] : [];
    await run(python, ['-m', 'venv', ...without, half], { timeout: 60_000 });
    const options = ['--quiet', '--disable-pip-version-check', '--no-deps', '--only-binary', ':all:'];
    const patience = ['--timeout', '10', '--retries', '1'];
    const [command = '', ...rest] = [...pip, 'install', ...options, ...patience, ...packages];
    await run(command, rest, { timeout: 90_000 });
    renameSync(half, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(half, { recursive: true, force: true });
  }
}

/** As `makePython`, but empty where there is none, after one line that says so. */
export async function findPython(): Promise<string> {
  return await makePython().catch((error: unknown) => {
    const why = String(error instanceof Error ? error.message : error).replaceAll(/\s+/g, ' ');
    process.stderr.write(`The tests of the Python SDK do not run: ${why.slice(0, 300)}\n`);
    return '';
  });
}

/** The Python that the run's set-up has found; empty where there is none. */
export const foundPython = (): string => inject('python');
