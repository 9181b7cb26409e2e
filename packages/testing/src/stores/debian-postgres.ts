import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { PostgresBinaries } from '@tabletop-relay/database';
import { findDebianProgram } from './debian-program.ts';

const run = promisify(execFile);

/** The PostgreSQL of the distribution. Beside its server it has the tools that the one from npm lacks. */
export interface DebianPostgres {
  binaries: PostgresBinaries;
  /** The environment in which its tools, such as `pg_dump`, are found by their names. */
  env: Record<string, string>;
}

/** Finds it on this machine, else fetches it. Rejects if neither succeeds. */
export async function findDebianPostgres(): Promise<DebianPostgres> {
  const { command: found, env } = await findDebianProgram('postgres');
  // On PATH it may be a link to the folder that holds the others.
  const command = realpathSync(found);
  const beside = (tool: string) => path.join(path.dirname(command), tool);
  const options = { env: { ...process.env, ...env } };
  const { stdout } = await run(command, ['--version'], options);
  const [, major = ''] = /(\d+)/.exec(stdout) ?? [];
  return {
    binaries: {
      postgres: command,
      initdb: beside('initdb'),
      libraries: env['LD_LIBRARY_PATH'] ?? '',
      major,
    },
    env: { ...env, PATH: `${path.dirname(command)}:${process.env['PATH'] ?? ''}` },
  };
}
