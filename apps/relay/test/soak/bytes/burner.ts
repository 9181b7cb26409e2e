/** Uses a share of one processor until its parent ends: `node burner.ts <share>`. Told `{ ms }`, it burns for so long. */
const share = Number(process.argv[2]);
const sliceMs = 10;

process.on('disconnect', () => process.exit());
process.on('message', ({ ms }: { ms: number }) => {
  const until = performance.now() + ms;
  const burn = (): void => {
    const sliceEnd = performance.now() + sliceMs * share;
    while (performance.now() < sliceEnd);
    if (performance.now() < until) setTimeout(burn, sliceMs * (1 - share));
    else process.send?.('done');
  };
  burn();
});
process.send?.('ready');
