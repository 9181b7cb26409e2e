import { parseArgs } from 'node:util';
import { listGroups } from './groups.ts';
import type { Outcome } from './messages.ts';
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
  console.log(`seed ${seed}`);
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
  for (const group of groups.filter(({ name }) => names.includes(name))) {
    const changed = {
      ...group,
      ...(values.files ? { sources: group.sources.filter((file) => file.includes(values.files ?? '')) } : {}),
      ...(values.sample ? { sampleSize: Number(values.sample) } : {}),
    };
    const result = await runGroup(changed, { seed, until, onTested });
    console.log(renderReport([result]));
    if (result.hasFailed) console.log(`the group ${group.name} ended with an error`);
    results.push(result);
    const isWhole = values.files === undefined && values.sample === undefined;
    if (!isWhole || countTried(result) >= (group.atLeast ?? 0)) continue;
    tooFew += 1;
    console.log(
      `the group ${group.name} tried ${countTried(result)} of the ${group.atLeast} that it promises`,
    );
  }
  const outcomes = results.flatMap((result) => result.outcomes);
  const stale = findStale(outcomes, reasons);
  for (const { file, line } of stale)
    console.log(`killed by now, so without need of its reason: ${file}: ${line}`);
  console.log(renderReport(results));
  console.log(`${unexplained} survivors without a reason, ${stale.length} reasons without a survivor`);
  return unexplained + stale.length + tooFew > 0 || results.some(({ hasFailed }) => hasFailed) ? 1 : 0;
}
