import { parseArgs } from 'node:util';
import { attackAll } from './attack-all.ts';
import { newOutcome } from './outcome.ts';
import { readPlan } from './plan.ts';
import { hasBroken, renderReport } from './report.ts';

const usage = `pnpm attack [--tries <number>] [--minutes <number>] [--seed <number>] [--rounds <number>] [--flood-ms <number>] [--only matrix|schema|races|floods] [--flood <text>]
  Attacks a relay of its own on this machine's loopback, and prints what held: of each part as it ends, and of all at the
  end. Ends with 1 where a promise was broken, or where the time did not suffice.
  --tries     Requests of the matrix and of schema fuzzing together: a million unless told otherwise.
  --minutes   The time for all of it: 45 unless told otherwise. A part that has used its share is stopped.
  --seed      Repeats a run: the table begins with it.
  --rounds    How often each flood goes to the relay and to a bare listener by turns.
  --flood-ms  How long each of these takes.
  --only      One part.
  --flood     Only floods with this in their title.`;

const { values } = parseArgs({
  options: {
    tries: { type: 'string' },
    minutes: { type: 'string' },
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
  const outcome = newOutcome(readPlan(values));
  const giveUp = (reason: string) => () => {
    outcome.undone.push(reason);
    console.log(renderReport(outcome));
    process.exit(1);
  };
  // Whatever hangs: what was started ends with us, and what was found is told.
  setTimeout(giveUp('all that follows: the time was over'), outcome.plan.minutes * 60_000).unref();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, giveUp(`all that follows: ended by ${signal}`));
  await attackAll(outcome, (line) => console.error(line));
  console.log(renderReport(outcome));
  process.exitCode = hasBroken(outcome) ? 1 : 0;
}
