import { defineConfig } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';

export default defineConfig({
  input: { index: 'src/index.ts' },
  platform: 'neutral',
  external: /^node:/,
  // Types come file by file from what is written out: no compiler, and nothing of a schema library.
  plugins: [dts({ oxc: true, tsconfig: false })],
  output: {
    dir: 'dist',
    format: 'es',
    cleanDir: true,
    // They stand in the declarations, where editors read them.
    comments: { legal: true, annotation: true, jsdoc: false },
    banner: '/*! With eventsource-parser (MIT, Espen Hovlandsdal): see THIRD-PARTY.md. */',
  },
});
