import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Everything that a build may read. More than it does, because a page that is built once too often harms nobody. */
const sources = [
  'apps/{dashboard,demo-world,foundry-module}/**',
  'packages/**',
  'docs/**/*.{md,png}',
  'package.json',
  'pnpm-{lock,workspace}.yaml',
];

const left = new Set(['node_modules', 'dist', 'test']);

/** A digest that changes as soon as a file is changed that a build reads. */
export function fingerprintSources(repository: string): string {
  const files = globSync(sources, {
    cwd: repository,
    withFileTypes: true,
    exclude: ({ name }) => left.has(name) || name.endsWith('.test.ts'),
  })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .toSorted();
  const hash = createHash('sha256');
  for (const file of files) {
    const bytes = readFileSync(file);
    hash.update(`${path.relative(repository, file)}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}
