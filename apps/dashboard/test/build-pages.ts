import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';

/** Vitest loads this file once per project, and all projects share the pages. */
const shared = globalThis as { testPages?: Promise<unknown> };

/** Builds the pages, the module and the command line that a relay serves, before any test asks for one. */
export async function setup(): Promise<void> {
  shared.testPages ??= Promise.all([buildAsShipped(), buildCommandLine()]);
  await shared.testPages;
}

/** Under Vitest's own NODE_ENV the pages would be those for development, half as large again. */
async function buildAsShipped(): Promise<void> {
  const { NODE_ENV } = process.env;
  process.env['NODE_ENV'] = 'production';
  try {
    for (const app of ['dashboard', 'demo-world', 'foundry-module']) {
      const configFile = path.join(import.meta.dirname, '../..', app, 'vite.config.ts');
      await build({ configFile, logLevel: 'warn' });
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
