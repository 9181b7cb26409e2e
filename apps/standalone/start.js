// Plain JavaScript, for an older Node cannot read the sources and would say so with a stack trace.
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > 22 || (major === 22 && minor >= 18)) {
  // Half of a start is stripping types and compiling. What a start before did is kept, in a folder of ours alone.
  module.enableCompileCache(
    fileURLToPath(new URL('../../node_modules/.cache/tabletop-relay/compiled', import.meta.url)),
  );
  await import('./src/main.ts');
} else {
  console.error(
    `\nTabletop Relay did not start: it needs Node 24, and this is Node ${process.versions.node}. On Linux x64 and arm64 \`npx -y pnpm@10.34.9 start\` brings its own.`,
  );
  process.exitCode = 1;
}
