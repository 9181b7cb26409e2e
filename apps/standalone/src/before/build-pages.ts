import { StartError } from '@tabletop-relay/database';
import { spawn } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findMendable } from '../explain.ts';
import { fingerprintSources } from './fingerprint.ts';

/** A build empties its folder, and this mark with it. */
export const mark = path.join('dist', '.built-from');

export interface PageBuild {
  isNeeded: boolean;
  run(signal: AbortSignal): Promise<void>;
}

/** The pages and the SDKs' packages, which are built only after a change of what they are made from. */
export function planBuild(repository: string): PageBuild {
  const fingerprint = fingerprintSources(repository);
  const marks = foldersWithBuild(repository).map((folder) => path.join(folder, mark));
  return {
    isNeeded: marks.some((file) => !existsSync(file) || readFileSync(file, 'utf8') !== fingerprint),
    async run(signal) {
      await build(repository, signal);
      for (const file of marks) writeFileSync(file, fingerprint);
    },
  };
}

/** What `pnpm build` builds. */
function foldersWithBuild(repository: string): string[] {
  const folders = globSync('{apps,packages}/*/package.json', { cwd: repository }).toSorted();
  return folders
    .map((file) => path.join(repository, file))
    .filter((file) => {
      const { scripts } = JSON.parse(readFileSync(file, 'utf8')) as { scripts?: Record<string, string> };
      return scripts?.['build'] !== undefined;
    })
    .map((file) => path.dirname(file));
}

async function build(repository: string, signal: AbortSignal): Promise<void> {
  const child = spawn('pnpm', ['run', 'build'], {
    cwd: repository,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-8_000)));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new StartError(findMendable(output) ?? `the pages could not be built:\n${output}`);
}
