import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { UsageError } from './terminal/failures.ts';
import type { Io } from './terminal/io.ts';

/** One relay that the person has logged in to. */
export interface Profile {
  url: string;
  apiKey: string;
  scopes: string[];
  /** Worlds that the key is bound to; empty: not bound to any. */
  clientIds: string[];
}

export interface Profiles {
  /** The name of the one that counts where none is named. */
  current?: string;
  profiles: Record<string, Profile>;
}

type Environment = Io['env'];

const isWindows = process.platform === 'win32';

/** `$XDG_CONFIG_HOME/tabletop-relay/profiles.json`, of Windows `%APPDATA%\tabletop-relay\profiles.json`. */
export function profilesFile(env: Environment): string {
  const own = isWindows ? env['APPDATA'] : env['XDG_CONFIG_HOME'];
  return path.join(own || path.join(homeOf(env), '.config'), 'tabletop-relay', 'profiles.json');
}

function homeOf(env: Environment): string {
  if (env['HOME']) return env['HOME'];
  try {
    return os.homedir();
  } catch {
    throw new UsageError(
      'There is no home folder here: name a folder in XDG_CONFIG_HOME, or give TABLETOP_KEY.',
    );
  }
}

export function readProfiles(env: Environment): Profiles {
  const file = profilesFile(env);
  let text: string;
  try {
    if (!isWindows && (statSync(file).mode & 0o077) !== 0)
      throw new UsageError(`Others may read ${file}, which holds keys: chmod 600 it, and log in anew.`);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { profiles: {} };
    throw error;
  }
  const read = parse(text);
  if (read) return read;
  throw new UsageError(`${file} is damaged: remove it, and log in anew.`);
}

function parse(text: string): Profiles | undefined {
  try {
    const value = JSON.parse(text) as Partial<Profiles> | null;
    const profiles = value?.profiles;
    if (typeof profiles !== 'object' || profiles === null) return undefined;
    const isWhole = Object.values(profiles).every(
      (profile) => typeof profile?.url === 'string' && typeof profile.apiKey === 'string',
    );
    return isWhole ? { ...value, profiles } : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the file as a whole, readable by its owner alone. */
export function writeProfiles(env: Environment, profiles: Profiles): void {
  writeOwn(profilesFile(env), `${JSON.stringify(profiles, null, 2)}\n`);
}

/** Throws where no profile could be kept, before a person is asked to approve anything. */
export function checkProfilesFolder(env: Environment): void {
  const file = `${profilesFile(env)}.try-${process.pid}`;
  writeOwn(file, '');
  rmSync(file);
}

/** Writes a file that only its owner may read, all of it or nothing. */
export function writeOwn(file: string, text: string): void {
  const beside = `${file}.${process.pid}.tmp`;
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(beside, text, { mode: 0o600, flag: 'w' });
    // One that was left behind may have had another mode.
    if (!isWindows) chmodSync(beside, 0o600);
    renameSync(beside, file);
  } catch (error) {
    if (existsSync(beside)) rmSync(beside);
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `Nothing can be written in ${path.dirname(file)} (${code}): name another folder in XDG_CONFIG_HOME, or use TABLETOP_URL and TABLETOP_KEY.`,
    );
  }
}

/** The name under which a relay is kept where the person names none: its host. */
export const profileNameOf = (url: string): string => new URL(url).host;
