import { parseArgs } from 'node:util';
import { attackAll } from './attack-all.ts';
import { readPlan } from './plan.ts';
import { hasBroken, renderReport } from './report.ts';

const usage = `pnpm attack [--tries <number>] [--seed <number>] [--rounds <number>] [--flood-ms <number>] [--only matrix|schema|races|floods] [--flood <text>]
  Attacks a relay of its own on this machine's loopback, and prints what held. Ends with 1 where a promise was broken.
  --tries     Requests of the matrix and of schema fuzzing together: a million unless told otherwise.
  --seed      Repeats a run: the table begins with it.
  --rounds    How often each flood goes to the relay and to a bare listener by turns.
  --flood-ms  How long each of these takes.
  --only      One part.
  --flood     Only floods with this in their title.`;

const { values } = parseArgs({
  options: {
    tries: { type: 'string' },
    seed: { type: 'string' },
    rounds: { type: 'string' },
    'flood-ms': { type: 'string' },
    only: { type: 'string' },
    flood: { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (values.help) console.log(usage);
else {
  const plan = readPlan(values);
  // Whatever hangs: what was started ends with us.
  setTimeout(() => {
    console.error('the attack did not end within 60 minutes');
    process.exit(1);
  }, 60 * 60_000).unref();
  const outcome = await attackAll(plan, (line) => console.error(line));
  console.log(renderReport(outcome));
  process.exitCode = hasBroken(outcome) ? 1 : 0;
}
