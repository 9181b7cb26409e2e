import { readFileSync } from 'node:fs';
import type { CallPaths, PassedFile } from './measure.ts';

export const pageUrl = new URL('../../../../docs/architecture.md', import.meta.url);

const begin = '<!-- Written by `pnpm call-path`. -->';
const end = '<!-- End of what `pnpm call-path` wrote. -->';
const shownFunctions = 4;

const functionsOf = (files: readonly PassedFile[]): number =>
  files.reduce((sum, { functions }) => sum + functions.length, 0);

/** The page with what was measured in place of what was there. */
export function writeCallPaths({ local, remote }: CallPaths): string {
  const page = readFileSync(pageUrl, 'utf8');
  const names = remote.map(({ file }) => file);
  for (const [index, { file }] of local.entries()) {
    const before = local[index - 1]?.file ?? '';
    if (!names.includes(file)) names.splice(names.indexOf(before) + 1, 0, file);
  }
  const placeIn = (files: readonly PassedFile[], name: string): string =>
    String(files.findIndex(({ file }) => file === name) + 1 || '');
  const rows = names.map((name) => {
    const passed = [...remote, ...local].find(({ file }) => file === name);
    const shown = passed?.functions.filter(Boolean).slice(0, shownFunctions).join(', ') ?? '';
    return `| ${placeIn(local, name)} | ${placeIn(remote, name)} | ${name} | ${shown} |`;
  });
  const written = [
    begin,
    '',
    `A local call runs ${functionsOf(local)} functions in ${local.length} files, a remote one ${functionsOf(remote)} in ${remote.length}, on both instances together:`,
    '',
    '| local | remote | file | functions |',
    '| ----- | ------ | ---- | --------- |',
    ...rows,
    '',
    end,
  ].join('\n');
  return page.slice(0, page.indexOf(begin)) + written + page.slice(page.indexOf(end) + end.length);
}

/** The files on the page, in order. */
export function readCallPaths(): Record<'local' | 'remote', string[]> {
  const page = readFileSync(pageUrl, 'utf8');
  const rows = page
    .slice(page.indexOf(begin), page.indexOf(end))
    .matchAll(/^\| *(\d*) *\| *(\d*) *\| (\S+\.ts) /gm);
  const files = Array.from(rows, ([, local = '', remote = '', file = '']) => ({ local, remote, file }));
  const inOrder = (way: 'local' | 'remote'): string[] =>
    files
      .filter((row) => row[way] !== '')
      .toSorted((one, other) => Number(one[way]) - Number(other[way]))
      .map(({ file }) => file);
  return { local: inOrder('local'), remote: inOrder('remote') };
}
