import { protocol } from '@tabletop-relay/cluster';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';

/** The texts of a release's files, by their paths in it. */
export type PackedRelease = Record<string, string>;

/** Where it comes from: `release-before.json`. */
export interface ReleaseNote {
  commit: string;
  date: string;
  version: string;
  /** What its instances send each other: `protocol` of `@tabletop-relay/cluster`. */
  protocol: string;
}

const beside = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export interface ReleaseBefore {
  app: string;
  note: ReleaseNote;
  /** Its instances run beside those of this release. Else all are stopped in between. */
  runsBeside: boolean;
  remove(): void;
}

/**
 * Unpacks relay, worker and browser host of the release before this one into a folder that `startRelayProcess` takes as its
 * `app`.
 */
export function unpackReleaseBefore(): ReleaseBefore {
  const text = brotliDecompressSync(readFileSync(beside('./release-before.br'))).toString();
  const app = mkdtempSync(path.join(os.tmpdir(), 'relay-before-'));
  for (const [name, content] of Object.entries(JSON.parse(text) as PackedRelease)) {
    const file = path.join(app, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  // What holds machine code is not packed, nor is what starts files of its own.
  symlinkSync(beside('../../node_modules'), path.join(app, 'apps/relay/node_modules'));
  mkdirSync(path.join(app, 'node_modules'));
  const playwright = beside('../../../browser-host/node_modules/playwright-core');
  symlinkSync(playwright, path.join(app, 'node_modules/playwright-core'));
  const note = JSON.parse(readFileSync(beside('./release-before.json'), 'utf8')) as ReleaseNote;
  return {
    app,
    note,
    runsBeside: note.protocol === protocol,
    remove: () => rmSync(app, { recursive: true, force: true }),
  };
}
