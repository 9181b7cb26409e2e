import path from 'node:path';
import { build } from 'vite';

/** Vitest loads this file once per project, and all projects share the pages. */
const shared = globalThis as { testPages?: Promise<unknown> };

/** Builds the pages that a relay serves, before any test asks for one. */
export async function setup(): Promise<void> {
  shared.testPages ??= build({
    configFile: path.join(import.meta.dirname, '../vite.config.ts'),
    logLevel: 'warn',
  });
  await shared.testPages;
}
