import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { listGroups, timeFor } from './groups.ts';
import type { Outcome, SlowTest } from './messages.ts';
import { findStale, findUnexplained, readReasons } from './reasons.ts';
import { countTried, renderReport } from './report.ts';
import type { GroupResult } from './report.ts';
import { runGroup } from './run-group.ts';

/** One seed for all runs, so that a new survivor is news of the code or of its tests, not of the lots. */
const usualSeed = 20_261_122;

const groups = listGroups();

const usage = `pnpm mutate [--seed <n>] [--minutes <n>] [--only <group>,...] [--files <text>] [--sample <n>]
  --seed     Chooses the sample and the simulation (${usualSeed}).
  --minutes  Ends after so long (60), whatever was reached.
  --only     Groups out of ${groups.map(({ name }) => name).join(', ')}.
  --files    Changes those files only whose path holds this text.
  --sample   Tries so many mutants of each group, chosen by the seed.`;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(usualSeed) },
    minutes: { type: 'string', default: '60' },
    only: { type: 'string' },
    files: { type: 'string' },
    sample: { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (values.help) console.log(usage);
else process.exitCode = await run();

async function run(): Promise<number> {
  const seed = Number(values.seed);
  const until = performance.now() + Number(values.minutes) * 60_000;
  const names = values.only?.split(',') ?? groups.map(({ name }) => name);
  console.log(`seed ${seed}, ${availableParallelism()} processors`);
  const results: GroupResult[] = [];
  const reasons = readReasons();
  let unexplained = 0;
  let tooFew = 0;
  // At once, so that a run which is ended early was not for nothing.
  const onTested = (outcome: Outcome): void => {
    for (const { at, from, to } of findUnexplained([outcome], reasons)) {
      console.log(`survived  ${at}\n  - ${from}\n  + ${to}`);
      unexplained += 1;
    }
  };
  const onSlowTests = (tests: SlowTest[]): void => {
    for (const { name, timeSpentMs } of tests)
      console.log(`slow without a mutant, ${Math.round(timeSpentMs)} ms: ${name}`);
  };
  const toRun = groups.filter(({ name }) => names.includes(name));
  for (const [index, group] of toRun.entries()) {
    const now = performance.now();
    const changed = {
      ...group,
      ...(values.files ? { sources: group.sources.filter((file) => file.includes(values.files ?? '')) } : {}),
      ...(values.sample ? { sampleSize: Number(values.sample) } : {}),
    };
    const result = await runGroup(changed, {
      seed,
      until: now + timeFor(group, toRun.slice(index + 1), until - now),
      onSlowTests,
      onTested,
    });
    console.log(renderReport([result], reasons));
    console.log(`took ${Math.round((performance.now() - now) / 1_000)} s`);
    if (result.hasFailed) console.log(`the group ${group.name} ended with an error`);
    results.push(result);
    const isWhole = values.files === undefined && values.sample === undefined;
    if (!isWhole || countTried(result) >= (group.atLeast ?? 0)) continue;
    tooFew += 1;
    console.log(
      `the group ${group.name} tried ${countTried(result)} of the ${group.atLeast} that it promises`,
    );
  }
  // Of a sample nobody knows whether the other mutants of a line survive.
  const whole = results.filter((result) => countTried(result) >= result.planned);
  const stale = findStale(
    whole.flatMap((result) => result.outcomes),
    reasons,
  );
  for (const { file, line } of stale)
    console.log(`killed by now, so without need of its reason: ${file}: ${line}`);
  console.log(renderReport(results, reasons));
  console.log(`${unexplained} survivors without a reason, ${stale.length} reasons without a survivor`);
  return unexplained + stale.length + tooFew > 0 || results.some(({ hasFailed }) => hasFailed) ? 1 : 0;
}
