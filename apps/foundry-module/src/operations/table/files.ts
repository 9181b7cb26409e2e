import { OperationRefused } from '@tabletop-relay/module-sdk';
import { version } from '../../versions/version.ts';
import type { ActingUser } from '../acting.ts';
import type { SomeHandlers } from '../call.ts';
import { assertPlace, assertUploadable, partsOf } from '../guards/files.ts';
import { refused } from '../permissions.ts';
import { readOwnFile } from '../sheets/own-files.ts';

/** As deep as a list looks into folders. */
const mostLevels = 3;
/** No list is longer: each folder is a question to the tabletop's server. */
const mostEntries = 5_000;

/** Files of the tabletop's server. */
export const files = {
  async 'file-system'({ path = '', source = 'data', recursive = false }, { user }) {
    assertAccess(user, 'FILES_BROWSE');
    const folder = partsOf(path).join('/');
    const results: Entry[] = [];
    await list(source, folder, { levels: recursive ? mostLevels : 1, results });
    results.sort((a, b) => (a.path < b.path ? -1 : 1));
    return { success: true, path: folder, source, results, recursive };
  },

  async 'upload-file'(
    { path, filename, source = 'data', overwrite = false, skipIfExists = false, ...given },
    { user },
  ) {
    assertAccess(user, 'FILES_UPLOAD');
    const folder = partsOf(path).join('/');
    const [name, ...more] = partsOf(filename);
    if (name === undefined || more.length > 0) {
      throw new OperationRefused('A file name has no folders', 'invalid_parameters');
    }
    const place = folder === '' ? name : `${folder}/${name}`;
    assertPlace(source, place);
    const isThere = (await entriesOf(source, folder)).some((entry) => entry.path === place);
    if (isThere && !overwrite) throw new OperationRefused(`${place} is there already`, 'already_exists');
    if (isThere && skipIfExists) return { success: true, path: place };
    const { bytes, mimeType } = readUpload(given);
    assertUploadable(name, bytes);
    await makeFolders(source, folder);
    const file = new File([bytes], name, { type: mimeType });
    const answer = await version().filePicker().upload(source, folder, file, {}, { notify: false });
    if (!answer) throw new OperationRefused(`The tabletop did not take ${place}`, 'not_allowed');
    return { success: true, path: answer.path ?? place };
  },

  async 'download-file'({ path }, { user }) {
    assertAccess(user, 'FILES_BROWSE');
    const place = partsOf(path);
    const name = place.join('/');
    const { dataUrl, mimeType } = await readOwnFile(encodeURI(name));
    return { success: true, path: name, fileData: dataUrl, filename: place.at(-1) ?? name, mimeType };
  },
} satisfies SomeHandlers;

interface Entry {
  name: string;
  path: string;
  type: string;
}

function assertAccess(user: ActingUser, permission: string): void {
  if (user === null || user.isGM || user.can(permission)) return;
  throw refused(user, 'do this with files');
}

async function list(
  source: string,
  folder: string,
  { levels, results }: { levels: number; results: Entry[] },
): Promise<void> {
  const entries = await browse(source, folder);
  results.push(...entries);
  if (results.length > mostEntries) {
    throw new OperationRefused(`More than ${mostEntries} files: ask for less`, 'too_large');
  }
  if (levels === 1) return;
  for (const { type, path } of entries) {
    if (type === 'directory') await list(source, path, { levels: levels - 1, results });
  }
}

/** The entries of a folder; none where there is no such folder. */
const entriesOf = (source: string, folder: string): Promise<Entry[]> =>
  browse(source, folder).catch(() => []);

async function browse(source: string, folder: string): Promise<Entry[]> {
  const answer = await version()
    .filePicker()
    .browse(source, folder)
    .catch((cause: unknown) => {
      throw new OperationRefused(`There is no ${folder}: ${String(cause)}`, 'file_not_found');
    });
  const entry = (type: string) => (path: string) => {
    const decoded = decode(path);
    return { name: decoded.slice(decoded.lastIndexOf('/') + 1), path: decoded, type };
  };
  return [...answer.dirs.map(entry('directory')), ...answer.files.map(entry('file'))];
}

/** The tabletop tells paths as parts of addresses; one that is none is taken as it is. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Makes each folder of a path that is not there. */
async function makeFolders(source: string, folder: string): Promise<void> {
  if (folder === '') return;
  const parts = folder.split('/');
  for (let depth = 1; depth <= parts.length; depth++) {
    const [parent, place] = [parts.slice(0, depth - 1).join('/'), parts.slice(0, depth).join('/')];
    const isThere = (await entriesOf(source, parent)).some((entry) => entry.path === place);
    if (!isThere) await version().filePicker().createDirectory(source, place);
  }
}

interface Upload {
  fileData?: string | undefined;
  binaryData?: readonly number[] | undefined;
  mimeType?: string | undefined;
}

function readUpload({ fileData, binaryData = [], mimeType }: Upload) {
  if (fileData === undefined) {
    return { bytes: new Uint8Array(binaryData), mimeType: mimeType ?? 'application/octet-stream' };
  }
  // `data:` alone is an empty file.
  const text = fileData.split(',', 2)[1] ?? '';
  try {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.codePointAt(0)!);
    const said = /^data:([\w.+-]+\/[\w.+-]+)/.exec(fileData)?.[1];
    return { bytes, mimeType: mimeType ?? said ?? 'application/octet-stream' };
  } catch {
    throw new OperationRefused('The file is no base64', 'invalid_data');
  }
}
