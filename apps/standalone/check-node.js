// Plain JavaScript and a process of its own: an older Node cannot read the sources, nor does it know the flags of `pnpm start`.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `\nTabletop Relay did not start: it needs Node 24, and this is Node ${process.versions.node}. On Linux x64 and arm64 \`npx -y pnpm@10.34.9 start\` brings its own.`,
  );
  process.exitCode = 1;
}
