import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { build } from 'vite';

/** The page as it is shipped, in a folder of its own. */
export async function buildPage(): Promise<{ pageDir: string; remove(): Promise<void> }> {
  const pageDir = await mkdtemp(path.join(os.tmpdir(), 'demo-page-'));
  const root = path.join(import.meta.dirname, '..');
  await build({ root, logLevel: 'warn', build: { outDir: pageDir, emptyOutDir: true } });
  return { pageDir, remove: () => rm(pageDir, { recursive: true }) };
}
