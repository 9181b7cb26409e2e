import { rolldown } from 'rolldown';
import type { Plugin } from 'rolldown';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import type { PackedRelease, ReleaseNote } from './release-before.ts';

/**
 * Packs relay, worker and browser host of an installed checkout into one file beside this one: docs/operations/roll.md says when.
 *
 *     node apps/relay/test/versions/pack-release.ts <checkout>
 */
const [checkout] = process.argv.slice(2);
if (checkout === undefined) throw new Error('name the folder of the checkout');
const apps = path.join(checkout, 'apps');

/** They hold machine code, come only where they are installed, or start files of their own. */
const external = [/^@node-rs\/argon2/, 'bufferutil', 'utf-8-validate', 'pg-native', 'playwright-core'];

/** A thread is started by its address, which the bundler leaves as it is. */
const threads: Plugin = {
  name: 'threads',
  transform: (code) =>
    code.replace(/new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g, "new URL('./$1.js', import.meta.url)"),
};

const bundle = await rolldown({
  input: {
    relay: path.join(apps, 'relay/src/main.ts'),
    worker: path.join(apps, 'worker/src/main.ts'),
    'browser-host': path.join(apps, 'browser-host/src/main.ts'),
    'hashing-thread': path.join(apps, 'relay/src/credentials/passwords/hashing-thread.ts'),
  },
  platform: 'node',
  external,
  plugins: [threads],
  logLevel: 'silent',
});
const { output } = await bundle.generate({
  format: 'es',
  // Names stay: some are read when it runs, such as those of errors.
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  comments: { legal: true },
  chunkFileNames: '[name].js',
});
const code = output.flatMap((chunk) =>
  chunk.type === 'chunk' ? [[chunk.fileName, chunk.code] as const] : [],
);
const migrations = readdirSync(path.join(checkout, 'migrations'));
const { version } = JSON.parse(readFileSync(path.join(apps, 'relay/package.json'), 'utf8')) as {
  version: string;
};

const files: PackedRelease = {
  'package.json': JSON.stringify({ type: 'module' }),
  'apps/relay/package.json': JSON.stringify({ type: 'module', version }),
  'apps/relay/src/main.ts': "import './relay.js';\n",
  // All code stands in one folder: most of it is the same for all three.
  'apps/worker/src/main.ts': "import '../../relay/src/worker.js';\n",
  'apps/browser-host/src/main.ts': "import '../../relay/src/browser-host.js';\n",
  ...Object.fromEntries(code.map(([name, text]) => [`apps/relay/src/${name}`, text])),
  ...Object.fromEntries(
    migrations.map((name) => [
      `migrations/${name}`,
      readFileSync(path.join(checkout, 'migrations', name), 'utf8'),
    ]),
  ),
};
const git = (...args: string[]) =>
  execFileSync('git', ['-C', checkout, ...args], { encoding: 'utf8' }).trim();
const { protocol } = (await import(path.join(apps, '../packages/cluster/src/index.ts'))) as {
  protocol: string;
};
const note: ReleaseNote = {
  commit: git('rev-parse', 'HEAD'),
  date: git('log', '-1', '--format=%cs'),
  version,
  protocol,
};
const packed = brotliCompressSync(JSON.stringify(files), { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } });
writeFileSync(new URL('./release-before.json', import.meta.url), `${JSON.stringify(note, undefined, 2)}\n`);
writeFileSync(new URL('./release-before.br', import.meta.url), packed);
process.stdout.write(`${note.commit} of ${note.date}: ${packed.length} bytes\n`);
