import type { RelayFile } from '@tabletop-relay/sdk';
import path from 'node:path';
import { commonFlags, textOf, worldFlag } from '../connection.ts';
import { UsageError } from '../terminal/failures.ts';
import { readFlags, readLocal } from '../arguments/flags.ts';
import type { OwnFlag } from '../arguments/flags.ts';
import { readInput } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { answer, answerFile } from '../terminal/output.ts';
import { asFlag, call, findOperation, outputFlag } from './operation.ts';

const sourceFlag: OwnFlag = {
  flag: 'source',
  value: 'text',
  says: 'Where files are kept: data where it is left out; public and s3 where the tabletop has them.',
};

export const uploadFlags: readonly OwnFlag[] = [
  { flag: 'name', value: 'text', says: 'Its name there; else the one that it has here.' },
  { flag: 'type', value: 'text', says: 'Its content type; else by the ending of its name.' },
  {
    flag: 'overwrite',
    says: 'Replace a file that is there. It then needs --yes, or an answer on the terminal.',
  },
  { flag: 'yes', says: 'Replace without a question.' },
  sourceFlag,
  worldFlag,
  asFlag,
  ...commonFlags,
];

/** `tabletop upload <file> [folder]`: a shorter `files upload-file`. Without `--overwrite` nothing can be lost. */
export async function runUpload(args: readonly string[], io: Io): Promise<void> {
  const given = readFlags(args, uploadFlags);
  const [file, folder = '', extra] = given.positionals;
  if (file === undefined || extra !== undefined)
    throw new UsageError('Usage: tabletop upload <file> [folder]');
  const { flags } = given;
  const filename = textOf(flags['name']) ?? (file === '-' ? undefined : path.basename(file));
  if (filename === undefined) throw new UsageError('What comes from standard input needs a name: --name');
  const parameters = {
    path: folder,
    filename,
    mimeType: textOf(flags['type']) ?? typeOf(filename),
    fileData: new Uint8Array(file === '-' ? await readInput(io) : readLocal(file)),
    ...(flags['overwrite'] === true ? { overwrite: true } : {}),
    ...(flags['source'] === undefined ? {} : { source: flags['source'] }),
  };
  const isHarmless = flags['overwrite'] !== true;
  const answered = await call(operationNamed('upload-file'), { given, parameters, isHarmless }, io);
  await answer(io, answered, { asJson: flags['json'] === true });
}

export const downloadFlags: readonly OwnFlag[] = [
  { ...outputFlag, says: 'Where it goes here; else its own name in this folder. - is standard output.' },
  sourceFlag,
  worldFlag,
  asFlag,
  ...commonFlags,
];

/** `tabletop download <path>`. It replaces no file of this folder that the person did not name. */
export async function runDownload(args: readonly string[], io: Io): Promise<void> {
  const given = readFlags(args, downloadFlags);
  const [from, extra] = given.positionals;
  if (from === undefined || extra !== undefined) throw new UsageError('Usage: tabletop download <path>');
  const { flags } = given;
  const named = textOf(flags['output']);
  // The name that the person asked for, and never one that the world chose.
  const output = named ?? path.posix.basename(from).replaceAll('\\', '_');
  const parameters = { path: from, ...(flags['source'] === undefined ? {} : { source: flags['source'] }) };
  const asJson = flags['json'] === true;
  const answered = await call(operationNamed('download-file'), { given, parameters }, io);
  if (asJson) await answer(io, answered, { asJson });
  else await answerFile(io, answered as RelayFile, { output, asJson, isNew: named === undefined });
}

function operationNamed(name: string) {
  const operation = findOperation(name);
  if (!operation) throw new Error(`no operation ${name}`);
  return operation;
}

/** What tabletops keep. A browser plays and shows a file by its type. */
const types: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  csv: 'text/csv',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  m4a: 'audio/mp4',
  md: 'text/markdown',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  ogg: 'audio/ogg',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  wav: 'audio/wav',
  webm: 'video/webm',
  webp: 'image/webp',
};

const typeOf = (name: string): string =>
  types[path.extname(name).slice(1).toLowerCase()] ?? 'application/octet-stream';
