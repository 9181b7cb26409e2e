import { createFile } from '../store/files.ts';
import type { StoredFile } from '../store/stored-file.ts';

const text = (mimeType: string, content: string): StoredFile => createFile(mimeType, btoa(content));

const bell = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><path fill="#b08d3c" d="M32 6c-12 0-16 12-16 26l-6 14h44l-6-14C48 18 44 6 32 6z"/><circle cx="32" cy="52" r="6" fill="#5b4518"/></svg>`;

/** The files of the Sunken Chapel. */
export const files: Readonly<Record<string, StoredFile>> = {
  'handouts/bell.svg': text('image/svg+xml', bell),
  'handouts/rules.txt': text('text/plain', 'Ring it once.\n'),
  'handouts/crypt/inscription.txt': text('text/plain', 'When both basins are full, the stair opens.\n'),
};
