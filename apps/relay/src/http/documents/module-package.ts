import { zipSync } from 'fflate';
import type { Zippable } from 'fflate';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** The module for Foundry as one relay gives it: with the relay's own address in it. */
export interface ModulePackage {
  /** `tabletop-relay-<version>-<hash of the content>.zip` */
  zipName: string;
  zip: Buffer;
  /** The manifest with the address of a zip. `word` stands in that address, so that the relay knows whose download it is. */
  manifest(word?: string): string;
}

/** A package has one time for all its members, so that two builds of one source give one zip. DOS knows no time before this year. */
const memberTime = new Date(2020, 0, 1);

/** Packs what the build left in `folder`; undefined while nothing is built. `address` is the relay's, without a slash at the end. */
export function packModule(folder: string, address: string): ModulePackage | undefined {
  if (!existsSync(path.join(folder, 'module.json'))) return undefined;
  const built = JSON.parse(readFileSync(path.join(folder, 'module.json'), 'utf8')) as Manifest;
  const manifest = {
    ...built,
    url: `${address}/module`,
    manifest: `${address}/module/module.json`,
    flags: { [built.id]: { relayUrl: address.replace(/^http/, 'ws') } },
  };
  const members = readMembers(folder);
  const hash = hashOf({ ...members, 'module.json': Buffer.from(JSON.stringify(manifest)) });
  const zipName = `${built.id}-${built.version}-${hash}.zip`;
  const withDownload = (word?: string) =>
    `${JSON.stringify({ ...manifest, download: [address, 'module', ...(word ? [word] : []), zipName].join('/') }, null, 2)}\n`;
  const all = { ...members, 'module.json': Buffer.from(withDownload()) };
  return {
    zipName,
    zip: Buffer.from(zipSync(inOrder(all), { level: 9, mtime: memberTime })),
    manifest: withDownload,
  };
}

interface Manifest {
  id: string;
  version: string;
}

type Members = Record<string, Uint8Array>;

function readMembers(folder: string): Members {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !entry.name.startsWith('.'),
  );
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const file = path.join(parentPath, name);
      return [path.relative(folder, file).split(path.sep).join('/'), readFileSync(file)];
    }),
  );
}

function hashOf(members: Members): string {
  const hash = createHash('sha256');
  for (const [name, bytes] of Object.entries(inOrder(members)))
    hash.update(`${name}\0${bytes.length}\0`).update(bytes);
  return hash.digest('hex').slice(0, 12);
}

const inOrder = <T extends Members>(members: T): T & Zippable =>
  Object.fromEntries(Object.entries(members).toSorted(([one], [other]) => (one < other ? -1 : 1))) as T;
