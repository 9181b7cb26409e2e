import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { mark } from '../../standalone/src/before/build-pages.ts';
import { fingerprintSources } from '../../standalone/src/before/fingerprint.ts';

/** Vitest loads this file once per project, and all projects share the pages. */
const shared = globalThis as { testPages?: Promise<unknown> };

/** Builds the pages and the module that a relay serves, where what they are made of has changed, and its command line, before any test asks for one. */
export async function setup(): Promise<void> {
  shared.testPages ??= Promise.all([buildAsShipped(), buildCommandLine()]);
  await shared.testPages;
}

/** Under Vitest's own NODE_ENV the pages would be those for development, half as large again. */
async function buildAsShipped(): Promise<void> {
  const { NODE_ENV } = process.env;
  const apps = path.join(import.meta.dirname, '../..');
  const fingerprint = fingerprintSources(path.dirname(apps));
  process.env['NODE_ENV'] = 'production';
  try {
    for (const app of ['dashboard', 'demo-world', 'foundry-module']) {
      const builtFrom = path.join(apps, app, mark);
      if (existsSync(builtFrom) && readFileSync(builtFrom, 'utf8') === fingerprint) continue;
      await build({ configFile: path.join(apps, app, 'vite.config.ts'), logLevel: 'warn' });
      writeFileSync(builtFrom, fingerprint);
    }
  } finally {
    process.env['NODE_ENV'] = NODE_ENV;
  }
}

/** Without its package, which the package manager packs. */
async function buildCommandLine(): Promise<void> {
  const cwd = path.join(import.meta.dirname, '../../../packages/cli');
  await promisify(execFile)('node_modules/.bin/rolldown', ['--config', '--logLevel', 'silent'], { cwd });
}
