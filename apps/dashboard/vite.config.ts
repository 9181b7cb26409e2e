import path from 'node:path';
import { defineConfig } from 'vite';
import { staticPages } from './static-pages/plugin.ts';

const page = (name: string) => path.join(import.meta.dirname, name);

/**
 * Browsers load six files at once from a relay without HTTP/2, and a seventh only after one of them: on a slow line half a second
 * later. So what many pages share comes in few files.
 */
const groups = [
  {
    name: 'frame',
    priority: 2,
    test: /\/node_modules\/(preact|@preact)\/|\/src\/((router|leave-guard|signed-in-mark)\.ts|parts\/(lazy|page|copy|announcer)\.tsx|shell\/(theme-button|account-entry|sign-in-link|palette\/palette-button)\.tsx)$/,
  },
  {
    name: 'base',
    priority: 1,
    test: /\/packages\/(sdk\/src\/|contract\/src\/(scopes|errors\/errors)\.ts)|\/src\/((request|resource|store|page-keys|use-action)\.ts|parts\/([\w-]+\.tsx|form\/|plot\/spark)|words\/|shell\/account-menu|pages\/(overview\/(use-overview|span-choice|sums|key-shares)|activity\/entr|keys\/(pause-key|revoke-key|usage)|worlds\/pause-world|pair\/(demo-world|codes|relay-address)|try-it\/code\/same-call|account\/second-factor\/set-up-links))/,
  },
  { name: 'calls', priority: 1, test: /\/src\/pages\/(activity\/calls\/|overview\/last-calls)/ },
  {
    name: 'plots',
    priority: 1,
    test: /\/uplot\/|\/src\/(parts\/plot\/(?!spark)|pages\/overview\/(?!lazy|use-overview|span-choice|sums|key-shares|last-calls)|pages\/worlds\/tail\/(?!lazy))/,
  },
  { name: 'operations', priority: 1, test: /\/packages\/contract\/src\/operations\/|\/typebox\// },
];

export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [staticPages()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    // Our policy lets no image or style be written into a file.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: [page('index.html'), page('docs.html'), page('static-page.html'), page('overlay.html')],
      output: { codeSplitting: { groups } },
    },
  },
});
