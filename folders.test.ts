import { globSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

/** More files than this in a folder hide its subject. */
const mostFiles = 30;

/** Folders that may hold more, each with the reason. */
const exceptions: Record<string, string> = {};

const sourceFiles = globSync(['{apps,packages}/*/**', '{benchmarks,deploy,docs}/**'], {
  cwd: import.meta.dirname,
  exclude: ['**/node_modules', '**/dist', '**/.*'],
}).filter((file) => /\.(tsx?|css|sh)$/.test(file));

describe('a source folder', () => {
  it(`holds at most ${mostFiles} files`, () => {
    expect(findLargeFolders(sourceFiles)).toEqual(Object.keys(exceptions));
  });

  it('holds at most a third of its app or package, unless that has few files altogether', () => {
    expect(findHeavyFolders(sourceFiles)).toEqual([]);
  });
});

describe('of folders that are made up, it', () => {
  const files = (folder: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${folder}/${index}.ts`);

  it('names one with too many files', () => {
    expect(findLargeFolders(files('apps/a/src', 30))).toEqual([]);
    expect(findLargeFolders(files('apps/a/src', 31))).toEqual(['apps/a/src']);
  });

  it('names one that holds too much of its app', () => {
    const others = ['b', 'c', 'd'].flatMap((name) => files(`apps/a/src/${name}`, 8));
    expect(findHeavyFolders([...files('apps/a/src', 9), ...others])).toEqual([]);
    expect(findHeavyFolders([...files('apps/a/src', 14), ...others])).toEqual(['apps/a/src']);
  });
});

function findLargeFolders(files: string[]): string[] {
  return [...countBy(files, path.dirname)].filter(([, count]) => count > mostFiles).map(([folder]) => folder);
}

function findHeavyFolders(files: string[]): string[] {
  const sizes = countBy(files, unitOf);
  return [...countBy(files, path.dirname)]
    .filter(([folder, count]) => {
      const size = sizes.get(unitOf(`${folder}/`)) ?? 0;
      return size > mostFiles && count > size / 3;
    })
    .map(([folder]) => folder);
}

/** The app or package that a file belongs to. */
function unitOf(file: string): string {
  const [top = '', name = ''] = file.split('/');
  return ['apps', 'packages'].includes(top) ? `${top}/${name}` : top;
}

function countBy(files: string[], keyOf: (file: string) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(keyOf(file), (counts.get(keyOf(file)) ?? 0) + 1);
  return counts;
}
