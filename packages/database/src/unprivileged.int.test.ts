import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { prepareDataFolder } from './data-folder.ts';
import { findPostgresBinaries } from './postgres-binaries.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { becomeUnprivileged } from './unprivileged.ts';

const isRoot = process.getuid?.() === 0;

/** Makes a folder that only root may enter, as `/root` is. Its programs come before the system's on PATH. */
function makePrivateFolder(programs: Record<string, string>): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'relay-private-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(path.join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  }
  chmodSync(folder, 0o700);
  vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  return folder;
}

async function moveBinaries(folder: string): Promise<PostgresBinaries> {
  const { initdb, major } = await findPostgresBinaries();
  const native = path.join(folder, 'native');
  cpSync(path.dirname(path.dirname(initdb)), native, { recursive: true, verbatimSymlinks: true });
  const program = (name: string) => path.join(native, 'bin', name);
  return {
    postgres: program('postgres'),
    initdb: program('initdb'),
    libraries: path.join(native, 'lib'),
    major,
  };
}

test.runIf(isRoot)(
  'root makes a database below a folder of its own, with binaries below it too, where no user namespace is had',
  async () => {
    const folder = makePrivateFolder({ unshare: 'exit 1' });
    const dataDir = path.join(folder, 'data');
    prepareDataFolder(dataDir, await moveBinaries(folder), becomeUnprivileged());
    expect(existsSync(path.join(dataDir, 'PG_VERSION'))).toBe(true);
  },
  60_000,
);

test.runIf(isRoot)('a database that cannot be made is told in one line, with what to do', async () => {
  const folder = makePrivateFolder({});
  const binaries = await moveBinaries(folder);
  const user = { prefix: ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'], own: () => {} };
  expect(() => prepareDataFolder(path.join(folder, 'data'), binaries, user)).toThrow(
    /^no database could be made in [^\n]*: choose another DATA_DIR, or set DATABASE_URL$/,
  );
});

test.runIf(isRoot)('root that can become nobody else is told in one line what to do', () => {
  makePrivateFolder({ unshare: 'exit 1', setpriv: 'exit 1' });
  expect(() => becomeUnprivileged()).toThrow(
    /^PostgreSQL does not run as root.*start as another user, or set DATABASE_URL$/,
  );
});
