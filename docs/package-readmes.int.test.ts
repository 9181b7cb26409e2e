import { spawnSync } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { examplesIn, readPage, root } from './markdown-files.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'relay-readmes-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('the examples in the READMEs of the packages compile', () => {
  const names = globSync('packages/*/src/index.ts', { cwd: root })
    .map((file) => file.split(path.sep)[1] ?? '')
    .filter((name) => existsSync(path.join(root, 'packages', name, 'README.md')));
  expect(names).not.toEqual([]);
  for (const name of names) writeExamples(name);
  const compilerOptions = {
    typeRoots: [path.join(root, 'node_modules/@types')],
    incremental: false,
    // An example may show how a value is made and leave its use to the reader.
    noUnusedLocals: false,
  };
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: path.join(root, 'tsconfig.json'), compilerOptions, include: ['*/*.ts'] }),
  );
  const tsc = path.join(root, 'node_modules/.bin/tsc');
  const { stdout, stderr } = spawnSync(tsc, ['--project', folder], { cwd: folder, encoding: 'utf8' });
  expect(stdout + stderr).toBe('');
}, 120_000);

/** Each example stands where it can import the package and the package's own dependencies. */
function writeExamples(name: string): void {
  const examples = examplesIn(readPage(`packages/${name}/README.md`), 'ts');
  expect(examples, name).not.toEqual([]);
  const home = path.join(folder, name);
  const own = path.join(root, 'packages', name);
  mkdirSync(path.join(home, 'node_modules/@tabletop-relay'), { recursive: true });
  symlinkSync(own, path.join(home, 'node_modules/@tabletop-relay', name));
  for (const dependency of readdirSync(path.join(own, 'node_modules'))) {
    if (dependency === '@tabletop-relay' || dependency.startsWith('.')) continue;
    symlinkSync(path.join(own, 'node_modules', dependency), path.join(home, 'node_modules', dependency));
  }
  for (const [index, text] of examples.entries()) {
    writeFileSync(path.join(home, `example-${index}.ts`), text);
  }
  writeFileSync(path.join(home, 'package.json'), '{"type":"module"}');
}
