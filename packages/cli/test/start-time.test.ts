import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { makeFolderOfFile } from './run-cli.ts';

const folder = makeFolderOfFile();
/** Tells of a process what it took of the processor, its start included: another's load does not count. */
const teller = path.join(folder, 'tell.cjs');

beforeAll(() => {
  const cwd = path.join(import.meta.dirname, '..');
  const build = ['--config', '--logLevel', 'silent', '--dir', folder];
  const { status, stderr } = spawnSync('node_modules/.bin/rolldown', build, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  writeFileSync(
    teller,
    `process.on('exit', () => {
      const { user, system } = process.cpuUsage();
      require('node:fs').writeSync(2, String((user + system) / 1000));
    });`,
  );
});

const medianOf = (times: number[]) => times.toSorted((one, other) => one - other)[times.length >> 1]!;

it('help takes at most 40 ms more than a Node that does nothing', { timeout: 120_000 }, () => {
  const ways = { nothing: ['-e', '0'], help: [path.join(folder, 'tabletop.mjs'), '--help'] };
  const times: Record<keyof typeof ways, number[]> = { nothing: [], help: [] };
  for (let round = 0; round < 20; round++)
    for (const way of ['nothing', 'help'] as const) {
      const { stderr } = spawnSync(process.execPath, ['--require', teller, ...ways[way]], {
        env: {},
        encoding: 'utf8',
      });
      times[way].push(Number(stderr));
    }
  const [nothing, help] = [medianOf(times.nothing), medianOf(times.help)];
  process.stdout.write(`help: ${help.toFixed(1)} ms, node -e 0: ${nothing.toFixed(1)} ms\n`);
  expect(help - nothing).toBeLessThan(40);
});
