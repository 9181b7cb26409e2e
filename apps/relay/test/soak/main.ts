import { startPostgres } from '@tabletop-relay/testing';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Proxy } from '../balancer/configurations.ts';
import { runRollingRestart } from '../cluster/rolling/rolling-restart.ts';
import { tryTheWay } from './acceptance.ts';
import { brokenPromises, renderSoak } from './report.ts';

const usage = `pnpm soak [--rounds <number>] [--worlds <number>] [--calls-per-second <number>] [--proxy haproxy|nginx] [--app <folder>]
  Replaces three relays of its own in turn, under load, and prints what the worlds and their callers noticed. Ends with 1
  where a promise was broken.
  --rounds            How often each instance is replaced: once unless told otherwise.
  --worlds            300. As many again ignore \`reconnect\` as a tenth of them.
  --calls-per-second  200, to all worlds in turn.
  --proxy             The balancer before them, with its file of deploy/proxy: haproxy.
  --app               Runs the relay in this folder, which deploy/image/assemble.sh has made.`;
const longestMinutes = 30;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1' },
    worlds: { type: 'string', default: '300' },
    'calls-per-second': { type: 'string', default: '200' },
    proxy: { type: 'string', default: 'haproxy' },
    app: { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (values.help || !isProxy(values.proxy)) console.log(usage);
else {
  // Whatever hangs: what was started ends with us.
  setTimeout(() => {
    console.error(`the soak did not end within ${longestMinutes} minutes`);
    process.exit(1);
  }, longestMinutes * 60_000).unref();
  const sdkWorlds = Number(values.worlds);
  const bareWorlds = Math.ceil(sdkWorlds / 10);
  const postgres = await startPostgres();
  try {
    const report = await runRollingRestart({
      databaseUrl: postgres.url,
      sdkWorlds,
      bareWorlds,
      callsPerSecond: Number(values['calls-per-second']),
      rounds: Number(values.rounds),
      drainSpreadMs: 4_000,
      drainGraceMs: 3_000,
      proxy: values.proxy,
      ...(values.app && { app: path.resolve(values.app) }),
      tryFirst: tryTheWay,
    });
    console.log(renderSoak(report));
    const broken = brokenPromises(report, sdkWorlds + bareWorlds);
    for (const promise of broken) console.log(`BROKEN: ${promise}`);
    process.exitCode = broken.length > 0 ? 1 : 0;
  } finally {
    await postgres.stop();
  }
}

function isProxy(name: string): name is Proxy {
  return name === 'haproxy' || name === 'nginx';
}
