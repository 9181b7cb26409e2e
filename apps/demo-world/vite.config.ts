import { defineConfig } from 'vite';

/** The page may be served under any path, so its files are named relative to it. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // TypeBox tries whether it may compile to code, which the page's content security policy would report as an error.
  define: { 'globalThis.Function': 'undefined' },
  // The interpreter's thread loads its parts when it needs them, which only modules can.
  worker: { format: 'es' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
  },
});
