// Plain JavaScript, so that the sources that it imports are in the cache already.
import module from 'node:module';
import { fileURLToPath } from 'node:url';

// Half of a start is stripping types and compiling. What a start before did is kept, in a folder of ours alone.
module.enableCompileCache(
  fileURLToPath(new URL('../../node_modules/.cache/tabletop-relay/compiled', import.meta.url)),
);
await import('./src/main.ts');
