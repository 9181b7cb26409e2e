import { Refusal } from '../refusal.ts';
import type { WorldState } from '../state.ts';
import type { Transaction } from '../transaction.ts';
import type { StoredFile } from './stored-file.ts';

/** Bounds of a world’s files, which are kept in memory. */
export const fileLimits = { files: 200, bytes: 24 * 1024 * 1024, folders: 8 };

/**
 * The base64 of each file. A page gets the whole state of a world, but not what its files hold, so that stands beside the
 * state and goes when the file does.
 */
const contents = new WeakMap<StoredFile, string>();

/** Makes a file of base64. */
export function createFile(mimeType: string, base64: string): StoredFile {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  const file = { mimeType, bytes: (base64.length / 4) * 3 - padding };
  contents.set(file, base64);
  return file;
}

export const base64Of = (file: StoredFile): string => contents.get(file) ?? '';

export const fileAt = ({ files }: WorldState, path: string): StoredFile | undefined =>
  Object.hasOwn(files, path) ? files[path] : undefined;

/** Puts a file in its place. Refuses where the world has no room for it. */
export function putFile(tx: Transaction, path: string, file: StoredFile): void {
  const files = { ...tx.state.files, [path]: file };
  const all = Object.values(files);
  const bytes = all.reduce((sum, one) => sum + one.bytes, 0);
  if (all.length > fileLimits.files || bytes > fileLimits.bytes)
    throw new Refusal(
      'world_full',
      `This world keeps ${fileLimits.files} files and ${fileLimits.bytes} bytes`,
    );
  tx.state = { ...tx.state, files };
}

/** The parts of a path, without empty ones. Refuses one that leads out of the world's files. */
export function partsOf(path: string): string[] {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..') || /[\\:\0]/.test(path))
    throw new Refusal('invalid_parameters', 'The path must stay within this world’s files');
  if (parts.length > fileLimits.folders + 1)
    throw new Refusal('invalid_parameters', `Folders are at most ${fileLimits.folders} deep`);
  return parts;
}
