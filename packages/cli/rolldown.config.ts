import { defineConfig } from 'rolldown';

export default defineConfig({
  input: { tabletop: 'src/main.ts' },
  platform: 'node',
  output: {
    dir: 'dist',
    format: 'es',
    entryFileNames: '[name].mjs',
    cleanDir: true,
    // One file, of which a command runs only its own part.
    codeSplitting: false,
    minify: true,
    comments: { legal: true, annotation: false, jsdoc: false },
    postBanner:
      '/*! With eventsource-parser (MIT, Espen Hovlandsdal), standardwebhooks (MIT, Svix), @stablelib/base64 (MIT, Dmitry Chestnykh) and fast-sha256: see THIRD-PARTY.md. */',
  },
});
