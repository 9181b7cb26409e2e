import type { OperationResult } from '@tabletop-relay/contract';

type Entry = OperationResult<'file-system'>['results'][number];

/** As deep as modules look. */
const levels = 3;

/** Entries of a folder, with those of its folders if asked for. A folder exists as long as a file lies in it. */
export function entriesOf(paths: readonly string[], folder: readonly string[], recursive: boolean): Entry[] {
  const start = folder.map((part) => `${part}/`).join('');
  const entries = new Map<string, Entry>();
  for (const path of paths.filter((one) => one.startsWith(start))) {
    const parts = path.slice(start.length).split('/');
    for (let depth = 1; depth <= Math.min(parts.length, recursive ? levels : 1); depth++) {
      const place = start + parts.slice(0, depth).join('/');
      const type = depth === parts.length ? 'file' : 'directory';
      entries.set(place, { name: parts[depth - 1]!, path: place, type });
    }
  }
  return [...entries.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
