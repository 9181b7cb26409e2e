import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ModuleStorage, StoredSettings } from './storage.ts';

/**
 * Keeps the pairing in a file that its owner alone may read. A save replaces the file as a whole, and saves
 * of one storage follow each other; two processes on one file are not kept apart.
 */
export function fileStorage(path: string): ModuleStorage {
  let lastSave: Promise<void> = Promise.resolve();

  const saveNow = async (changes: StoredSettings) => {
    const settings = { ...(await read(path)), ...changes };
    const draft = `${path}.${process.pid}.tmp`;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(draft, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 });
    await rename(draft, path);
  };

  return {
    async load() {
      await lastSave;
      return read(path);
    },
    save(changes) {
      const saved = lastSave.then(() => saveNow(changes));
      lastSave = saved.catch(() => undefined);
      return saved;
    },
  };
}

async function read(path: string): Promise<StoredSettings> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  try {
    return JSON.parse(text) as StoredSettings;
  } catch (error) {
    throw new Error(`${path} is not JSON; delete it and pair again`, { cause: error });
  }
}
