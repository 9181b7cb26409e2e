import { StartError } from '@tabletop-relay/database';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface HeldFolder {
  /** Tells later starts where this one is reached. */
  tellAddress(url: string): void;
  release(): void;
}

/**
 * Makes the data folder and keeps every other start out of it. Node has no file locks of its own, so a transaction of
 * SQLite holds one: the kernel ends it with the process, however that ends, and no stale process id can look alive.
 */
export function holdFolder(dataDir: string): HeldFolder {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const whereabouts = path.join(dataDir, 'running.txt');
  const file = path.join(dataDir, 'running.lock');
  // SQLite does not say why a file cannot be opened.
  writeFileSync(file, '', { flag: 'a', mode: 0o600 });
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode !== busy) throw error;
    const where = readFileSync(whereabouts, { encoding: 'utf8', flag: 'a+' }).trim();
    throw new StartError(
      `it runs in ${dataDir} already${where && `, ${where}`}. Stop that one with Ctrl-C, or give this one a DATA_DIR, a PORT and a DEMO_PORT of its own.`,
    );
  }
  const tell = (text: string) => writeFileSync(whereabouts, text, { mode: 0o600 });
  tell(`as process ${process.pid}`);
  return {
    tellAddress: (url) => tell(`as process ${process.pid} at ${url}`),
    release: () => lock.close(),
  };
}

/** SQLITE_BUSY. */
const busy = 5;
