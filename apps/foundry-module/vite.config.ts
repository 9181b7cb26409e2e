import { readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vite';
import type { Plugin } from 'vite';
import { moduleManifest } from './module-manifest.ts';
import { contractWords } from './src/words/contract-words.ts';
import { english, languagePrefix } from './src/words/english.ts';

const here = (name: string) => path.join(import.meta.dirname, name);
const { version } = JSON.parse(readFileSync(here('package.json'), 'utf8')) as { version: string };

/** What the package holds beside its script, by its name there. The relay adds its own addresses to the manifest when it serves it. */
const beside: Readonly<Record<string, string>> = {
  [`styles/tabletop-relay-${version}.css`]: here('styles/relay.css'),
  LICENSE: here('../../LICENSE'),
  'NOTICES.md': here('NOTICES.md'),
};

function packageFiles(): Plugin {
  return {
    name: 'package-files',
    generateBundle() {
      for (const [fileName, file] of Object.entries(beside))
        this.emitFile({ type: 'asset', fileName, source: readFileSync(file) });
      const texts = `${JSON.stringify({ [languagePrefix]: { ...english, ...contractWords() } }, null, 2)}\n`;
      this.emitFile({ type: 'asset', fileName: 'languages/en.json', source: texts });
      const manifest = `${JSON.stringify(moduleManifest(version), null, 2)}\n`;
      this.emitFile({ type: 'asset', fileName: 'module.json', source: manifest });
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [packageFiles()],
  define: { __MODULE_VERSION__: JSON.stringify(version) },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // Of a library it would keep spaces and line ends, for builds that come after.
    rolldownOptions: { output: { minify: true } },
    // Names carry the version, so that no browser runs an old script under a new manifest.
    lib: { entry: here('src/main.ts'), formats: ['es'], fileName: () => `tabletop-relay-${version}.js` },
  },
});
