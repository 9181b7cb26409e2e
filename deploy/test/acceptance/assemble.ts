import { findDebianProgram } from '@tabletop-relay/testing';
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { stageOf } from '../images/dockerfile.ts';
import type { Target } from '../images/dockerfile.ts';
import { root } from '../k8s/render.ts';

export interface Assembled {
  folders: Readonly<Partial<Record<Target, string>>>;
  remove(): Promise<void>;
}

/**
 * Puts together what stands in /app of each image, as the Dockerfile does: from the files that reach a build, by its own script
 * and with its COPY lines. Pages and packages are those that were built here.
 */
export async function assembleImages(targets: readonly Target[]): Promise<Assembled> {
  // Outside of the checkout: Node strips no types under a node_modules.
  const home = mkdtempSync(path.join(os.tmpdir(), 'relay-images-'));
  const checkout = path.join(home, 'build');
  const remove = () => rm(home, { recursive: true, force: true });
  try {
    for (const file of await filesOfContext()) cpSync(path.join(root, file), path.join(checkout, file));
    const pnpm = process.env['npm_execpath']?.includes('pnpm')
      ? `${process.execPath} ${process.env['npm_execpath']}`
      : 'pnpm';
    const store = execFileSync('sh', ['-c', `${pnpm} store path`], { cwd: root, encoding: 'utf8' }).trim();
    const env = { PATH: searchPath(), HOME: os.homedir(), PNPM: pnpm, npm_config_store_dir: store };
    const folders: Partial<Record<Target, string>> = {};
    for (const target of targets) {
      const folder = (folders[target] = path.join(home, target));
      // One after the other, because each installs its own dependencies there.
      await promisify(execFile)('deploy/image/assemble.sh', [target, folder], { cwd: checkout, env });
      copyBuilt(target, folder);
    }
    return { folders, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Without what pnpm adds of this checkout: the script removes a Node there. */
const searchPath = () =>
  [path.dirname(process.execPath), ...(process.env['PATH'] ?? '').split(':')]
    .filter((folder) => path.isAbsolute(folder) && !folder.includes('/node_modules/.bin'))
    .join(':');

/** The files that `COPY . .` copies: those of the repository that .dockerignore does not keep back. */
async function filesOfContext(): Promise<string[]> {
  const { command, env } = await findDebianProgram('git');
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const options = { cwd: root, encoding: 'utf8', env: { ...process.env, ...env } } as const;
  const files = execFileSync(command, list, options).split('\0').slice(0, -1);
  const patterns = readFileSync(path.join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const kept = new RegExp(`^(${patterns.map(toExpression).join('|')})(/|$)`);
  return files.filter((file) => !kept.test(file));
}

const toExpression = (pattern: string) =>
  pattern.replaceAll('.', '\\.').replaceAll(/\*\*\/|\*/g, (star) => (star === '*' ? '[^/]*' : '(.*/)?'));

/** What the Dockerfile takes from other stages. A package that was not built here is left out. */
function copyBuilt(target: Target, folder: string): void {
  for (const instruction of stageOf(`${target}-files`)) {
    const [, from = '', to = ''] =
      /^COPY --from=\w+ \/build\/(\S+) \/app\/(\S+)$/.exec(String(instruction)) ?? [];
    if (from === '') continue;
    for (const file of globSync(from, { cwd: root })) {
      const name = to.endsWith('/') ? path.join(to, path.basename(file)) : to;
      cpSync(path.join(root, file), path.join(folder, name), { recursive: true });
    }
  }
}
