import { startPostgres } from '@tabletop-relay/testing';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Proxy } from '../balancer/configurations.ts';
import { runRollingRestart } from '../cluster/rolling/rolling-restart.ts';
import { unpackReleaseBefore } from '../versions/release-before.ts';
import { tryTheWay } from './acceptance.ts';
import { soakBytes } from './bytes/soak-bytes.ts';
import { brokenPromises, renderSoak } from './report.ts';
import { renderStreamsPage, renderTrial } from './streams-page.ts';
import { soakStreams } from './streams.ts';
import type { StreamTrial } from './streams.ts';

const usage = `pnpm soak [--rounds <number>] [--worlds <number>] [--calls-per-second <number>] [--proxy haproxy|nginx] [--app <folder>|--upgrade]
pnpm soak --streams [--listeners <number>] [--events <number>]
pnpm soak --bytes [--rounds <number>] [--seconds <number>]
  Replaces three relays of its own in turn, under load, and prints what the worlds and their callers noticed. Ends with 1
  where a promise was broken.
  --rounds            How often each instance is replaced: once unless told otherwise.
  --worlds            300. As many again ignore \`reconnect\` as a tenth of them.
  --calls-per-second  200, to all worlds in turn.
  --proxy             The balancer before them, with its file of deploy/proxy: haproxy.
  --streams           Tries event streams instead: ten million deliveries, then each fault. Writes docs/streams-soak.md, unless
                      --listeners or --events make it smaller: 100 and 100,000.
  --bytes             Has one tenant pull large replies instead, in rounds (5) of so many seconds (5) that take turns with rest and
                      with processes that only burn processor time.
  --app               Runs the relay in this folder, which deploy/image/assemble.sh has made.
  --upgrade           Starts the release before, replaces it by this one, goes back, and so on for \`--rounds\`: 2 unless told otherwise.`;
const longestMinutes = 30;
const streamsPage = new URL('../../../../docs/streams-soak.md', import.meta.url);

const { values } = parseArgs({
  options: {
    rounds: { type: 'string' },
    worlds: { type: 'string', default: '300' },
    'calls-per-second': { type: 'string', default: '200' },
    proxy: { type: 'string', default: 'haproxy' },
    app: { type: 'string' },
    upgrade: { type: 'boolean' },
    streams: { type: 'boolean' },
    listeners: { type: 'string' },
    events: { type: 'string' },
    bytes: { type: 'boolean' },
    seconds: { type: 'string', default: '5' },
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
  if (values.bytes) {
    const { lines, broken } = await soakBytes(Number(values.rounds ?? 5), 1_000 * Number(values.seconds));
    for (const line of lines) console.log(line);
    tellBroken(broken);
  } else await onPostgres(values.proxy);
}

async function onPostgres(proxy: Proxy): Promise<void> {
  const postgres = await startPostgres();
  try {
    await (values.streams ? tryStreams(postgres.url) : tryRestarts(postgres.url, proxy));
  } finally {
    await postgres.stop();
  }
}

async function tryStreams(databaseUrl: string): Promise<void> {
  const listeners = Number(values.listeners ?? 100);
  const events = Number(values.events ?? 100_000);
  const trials: StreamTrial[] = [];
  const soak = soakStreams({ databaseUrl, listeners, events, cutMs: 60_000, redisAwayMs: 30_000 });
  for await (const trial of soak) {
    trials.push(trial);
    console.log(renderTrial(trial));
    for (const problem of trial.problems) console.log(`BROKEN: ${trial.name}: ${problem}`);
  }
  const page = renderStreamsPage(trials, { listeners });
  if (values.listeners === undefined && values.events === undefined) writeFileSync(streamsPage, page);
  else console.log(page);
  process.exitCode = trials.some(({ problems }) => problems.length > 0) ? 1 : 0;
}

async function tryRestarts(databaseUrl: string, proxy: Proxy): Promise<void> {
  const sdkWorlds = Number(values.worlds);
  const bareWorlds = Math.ceil(sdkWorlds / 10);
  const release = values.upgrade ? unpackReleaseBefore() : undefined;
  if (release && !release.runsBeside) {
    console.log(
      'The release before speaks another protocol, so it is replaced by a stop: docs/operations/roll.md.',
    );
    return release.remove();
  }
  const rounds = Number(values.rounds ?? (release ? 2 : 1));
  const toAndFro = Array.from({ length: rounds + 1 }, (_, round) =>
    round % 2 === 0 ? release?.app : undefined,
  );
  const report = await runRollingRestart({
    databaseUrl,
    sdkWorlds,
    bareWorlds,
    callsPerSecond: Number(values['calls-per-second']),
    rounds,
    drainSpreadMs: 4_000,
    drainGraceMs: 3_000,
    proxy,
    apps: values.app ? [path.resolve(values.app)] : toAndFro,
    // The release before has no built pages beside it.
    ...(!release && { tryFirst: tryTheWay }),
  });
  release?.remove();
  console.log(renderSoak(report));
  const broken = brokenPromises(report, sdkWorlds + bareWorlds);
  tellBroken(broken);
}

function tellBroken(promises: readonly string[]): void {
  for (const promise of promises) console.log(`BROKEN: ${promise}`);
  process.exitCode = promises.length > 0 ? 1 : 0;
}

function isProxy(name: string): name is Proxy {
  return name === 'haproxy' || name === 'nginx';
}
