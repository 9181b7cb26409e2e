import { Refusal } from '../../refusal.ts';
import { base64Of, createFile, fileAt, partsOf, putFile } from '../../store/files.ts';
import type { Transaction } from '../../transaction.ts';
import type { OperationHandlers } from '../handler.ts';
import { entriesOf } from './entries.ts';
import { readUpload } from './upload.ts';

/** The roles from which tabletops let users see and upload files. */
const roles = { browse: 2, upload: 3 };

export const files: OperationHandlers<'file-system' | 'upload-file' | 'download-file'> = {
  'file-system'(tx, { path = '', source = 'data', recursive = false }) {
    assertAccess(tx, roles.browse, source);
    const folder = partsOf(path);
    const results = entriesOf(Object.keys(tx.state.files), folder, recursive);
    if (results.length === 0 && folder.length > 0) throw missing(path);
    return { success: true, path: folder.join('/'), source, results, recursive };
  },

  'upload-file'(tx, { path, filename, source = 'data', overwrite = false, skipIfExists = false, ...given }) {
    assertAccess(tx, roles.upload, source);
    const place = partsOf(`${path}/${filename}`);
    const name = place.join('/');
    const old = fileAt(tx.state, name);
    if (old && !overwrite) throw new Refusal('already_exists', `${name} is there already`);
    if (entriesOf(Object.keys(tx.state.files), place, false).length > 0)
      throw new Refusal('already_exists', `${name} is a folder`);
    if (place.some((_, depth) => fileAt(tx.state, place.slice(0, depth).join('/'))))
      throw new Refusal('invalid_parameters', `${path} is a file`);
    if (!old || !skipIfExists) {
      const { base64, mimeType } = readUpload(given);
      putFile(tx, name, createFile(mimeType, base64));
    }
    return { success: true, path: name };
  },

  'download-file'(tx, { path }) {
    assertAccess(tx, roles.browse, 'data');
    const place = partsOf(path);
    const name = place.join('/');
    const file = fileAt(tx.state, name);
    if (!file) throw missing(path);
    const { mimeType } = file;
    const fileData = `data:${mimeType};base64,${base64Of(file)}`;
    return { success: true, path: name, fileData, filename: place.at(-1)!, mimeType };
  },
};

function assertAccess({ user }: Transaction, role: number, source: string): void {
  if (user !== null && !user.isGM && user.role < role)
    throw new Refusal('permission_denied', `${user.name} may not do this with files`);
  if (source !== 'data') throw new Refusal('not_supported', 'This world keeps its files under data alone');
}

const missing = (path: string) => new Refusal('file_not_found', `There is no ${path}`);
