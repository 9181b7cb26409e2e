import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { hashOf, inOrder, readMembers, zipped } from './zip-members.ts';

/** The module for Foundry as one relay gives it: with the relay's own address in it. */
export interface ModulePackage {
  /** `tabletop-relay-<version>-<hash of the content>.zip` */
  zipName: string;
  zip: Buffer;
  /** The manifest with the address of a zip. `word` stands in that address, so that the relay knows whose download it is. */
  manifest(word?: string): string;
}

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
    zip: zipped(inOrder(all)),
    manifest: withDownload,
  };
}

interface Manifest {
  id: string;
  version: string;
}
