import { zipSync } from 'fflate';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** The files of a zip by their paths in it. */
export type Members = Record<string, Uint8Array>;

/** A package has one time for all its members, so that two builds of one source give one zip. DOS knows no time before this year. */
const memberTime = new Date(2020, 0, 1);

/** A zip of these members in their order: the same bytes for the same members. */
export const zipped = (members: Members): Buffer =>
  Buffer.from(zipSync(members, { level: 9, mtime: memberTime }));

/** What lies under `folder`, without files whose names begin with a dot. */
export function readMembers(folder: string): Members {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !entry.name.startsWith('.'),
  );
  return inOrder(
    Object.fromEntries(
      files.map(({ parentPath, name }) => {
        const file = path.join(parentPath, name);
        return [path.relative(folder, file).split(path.sep).join('/'), readFileSync(file)];
      }),
    ),
  );
}

/** The first twelve digits of a hash over names and content. */
export function hashOf(members: Members): string {
  const hash = createHash('sha256');
  for (const [name, bytes] of Object.entries(inOrder(members)))
    hash.update(`${name}\0${bytes.length}\0`).update(bytes);
  return hash.digest('hex').slice(0, 12);
}

export const inOrder = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).toSorted(([one], [other]) => (one < other ? -1 : 1)));
