import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { CallPaths } from './measure.ts';
import { readCallPaths } from './page.ts';

/** Files may come and go that change nobody's picture of the way. More than these, and the page is to be written anew. */
const maxOff = 4;

/** So many files of ours one call may run through. A way that grows says which thought is cut in two. */
const most = { local: 42, remote: 56 } as const;

test('a call runs through the files that the architecture page lists', async () => {
  const main = path.join(import.meta.dirname, 'main.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [main, '--print'], { maxBuffer: 1 << 24 });
  const measured = JSON.parse(stdout.slice(stdout.lastIndexOf('{"local"'))) as CallPaths;
  const page = readCallPaths();
  for (const way of ['local', 'remote'] as const) {
    const files = measured[way].map(({ file }) => file);
    expect(files.length).toBeGreaterThan(20);
    expect(files.length, `${way}: ${files.join(', ')}`).toBeLessThanOrEqual(most[way]);
    const off = [
      ...files.filter((file) => !page[way].includes(file)),
      ...page[way].filter((file) => !files.includes(file)),
    ];
    const isFar = off.length > maxOff;
    expect(isFar ? off : [], `run \`pnpm call-path\`: the ${way} way has changed`).toEqual([]);
  }
});
