import { onPath } from '@tabletop-relay/chromium';
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Programs that tests have fetched are kept here between runs. */
const cacheFolder = fileURLToPath(new URL('../../../../node_modules/.cache/tabletop-relay', import.meta.url));
const script = fileURLToPath(new URL('./fetch-debian-program.sh', import.meta.url));

/** A program with the environment variables that it needs in addition. */
export interface Program {
  command: string;
  env: Record<string, string>;
}

interface Needed {
  /** The environment variable that may hold the program's path. */
  variable: string;
  /** Names of programs that serve, the preferred one first. */
  names: readonly [string, ...string[]];
  package: string;
}

/** The programs that tests run, beside Node, Postgres and Chromium. */
const programs = {
  redis: { variable: 'REDIS_SERVER', names: ['redis-server', 'valkey-server'], package: 'redis-server' },
  haproxy: { variable: 'HAPROXY', names: ['haproxy'], package: 'haproxy' },
  nginx: { variable: 'NGINX', names: ['nginx'], package: 'nginx' },
  prometheus: { variable: 'PROMETHEUS', names: ['prometheus'], package: 'prometheus' },
  promtool: { variable: 'PROMTOOL', names: ['promtool'], package: 'prometheus' },
  // Nowhere on PATH; the programs of its version are beside it.
  postgres: { variable: 'POSTGRES_SERVER', names: ['postgres'], package: 'postgresql' },
  curl: { variable: 'CURL', names: ['curl'], package: 'curl' },
  git: { variable: 'GIT', names: ['git'], package: 'git' },
  zsh: { variable: 'ZSH', names: ['zsh'], package: 'zsh' },
  openssl: { variable: 'OPENSSL', names: ['openssl'], package: 'openssl' },
} as const satisfies Record<string, Needed>;

/**
 * Fetches the programs that this machine lacks, before any test's time limit runs. One that can't be fetched is left to
 * the test that needs it, which says so.
 */
export async function fetchMissingPrograms(): Promise<void> {
  const names = Object.keys(programs) as (keyof typeof programs)[];
  await Promise.allSettled(names.map(findDebianProgram));
}

/** Finds a program by its variable or on PATH, else fetches it from the distribution's packages. */
export async function findDebianProgram(program: keyof typeof programs): Promise<Program> {
  const { variable, names, package: name }: Needed = programs[program];
  const command = process.env[variable] ?? names.map(findHere).find((found) => found !== undefined);
  if (command !== undefined) return { command, env: {} };
  return fetchDebianProgram({ package: name, program: names[0], folder: path.join(cacheFolder, name) }).catch(
    (error: unknown) => {
      throw new Error(`${names.join(' or ')} is not here: install it, or set ${variable} to its path`, {
        cause: error,
      });
    },
  );
}

const findHere = (name: string) => onPath(name) ?? globSync(`/usr/lib/postgresql/*/bin/${name}`)[0];

/** Fetches a package without root. `status` replaces the machine's list of installed packages. */
export async function fetchDebianProgram(options: {
  package: string;
  program: string;
  folder: string;
  status?: string;
}): Promise<Program> {
  const { folder, status } = options;
  await run('sh', [script, folder, options.package, ...(status === undefined ? [] : [status])]);
  const [command] = globSync(`${folder}/{usr/,}{bin,sbin,lib/postgresql/*/bin}/${options.program}`);
  if (command === undefined) throw new Error(`the package ${options.package} has no ${options.program}`);
  const libraries = globSync(`${folder}/{usr/,}lib/*-linux-gnu*`);
  return { command, env: { LD_LIBRARY_PATH: libraries.join(':') } };
}
