import path from 'node:path';
import { defineConfig } from 'vite';
import { staticPages } from './static-pages/plugin.ts';

const page = (name: string) => path.join(import.meta.dirname, name);

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
      input: [page('index.html'), page('docs.html'), page('static-page.html')],
    },
  },
});
