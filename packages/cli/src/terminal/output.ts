import type { RelayFile } from '@tabletop-relay/sdk';
import { writeFileSync } from 'node:fs';
import { jsonText, UsageError } from './failures.ts';
import { withoutControls, write } from './io.ts';
import type { Io } from './io.ts';

/** Answers a command: in columns on a terminal, as one line of JSON to all others. */
export async function answer(io: Io, value: unknown, options: { asJson: boolean }): Promise<void> {
  const text = options.asJson || !io.stdout.isTTY ? jsonText(value) : withoutControls(inColumns(value, 0));
  await write(io.stdout, text === '' ? '' : `${text}\n`);
}

/** A file that a world answered, to where the person wants it. Bytes are never poured over a terminal. */
export async function answerFile(
  io: Io,
  { bytes, type, name }: RelayFile,
  { output, asJson, isNew = false }: { output: string | undefined; asJson: boolean; isNew?: boolean },
): Promise<void> {
  if (output !== undefined && output !== '-') {
    try {
      writeFileSync(output, bytes, { flag: isNew ? 'wx' : 'w' });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const why = code === 'EEXIST' ? 'it is there already: name another by --output' : code;
      throw new UsageError(`${output} cannot be written: ${why}.`);
    }
    return await answer(io, { file: output, bytes: bytes.length, type, name }, { asJson });
  }
  if (output === undefined && io.stdout.isTTY)
    throw new UsageError(`The answer is a file of ${bytes.length} bytes (${type}): name one by --output.`);
  await write(io.stdout, bytes);
}

const deepest = 3;

function inColumns(value: unknown, depth: number): string {
  if (Array.isArray(value)) return rowsOf(value as unknown[], depth);
  if (typeof value !== 'object' || value === null) return plain(value);
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  const width = Math.max(0, ...entries.filter(([, field]) => isPlain(field)).map(([name]) => name.length));
  return entries
    .map(([name, field]) => {
      if (isPlain(field) || depth >= deepest) return `${name.padEnd(width)}  ${plain(field)}`;
      const inner = inColumns(field, depth + 1);
      return inner === '' ? `${name}  -` : `${name}\n${inner.replaceAll(/^/gm, '  ')}`;
    })
    .join('\n');
}

/** Records side by side, where they are alike; what is deeper stands as JSON. */
function rowsOf(list: readonly unknown[], depth: number): string {
  const records = list.filter((one) => typeof one === 'object' && one !== null && !Array.isArray(one));
  if (records.length < list.length) return list.map(plain).join('\n');
  if (depth >= deepest) return jsonText(list);
  const names = [...new Set(records.flatMap((record) => Object.keys(record as object)))];
  const cells = [
    names,
    ...records.map((record) => names.map((name) => shorten(plain((record as never)[name])))),
  ];
  const widths = names.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;

function plain(value: unknown): string {
  if (value === undefined || value === null) return '-';
  return typeof value === 'string' ? value : jsonText(value);
}

const shorten = (text: string): string =>
  (text.length > 60 ? `${text.slice(0, 59)}…` : text).replaceAll('\n', ' ');
