import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { describeMachine, shareOfOthers, warnOfOthers } from './report/machine.ts';
import { isMet, renderReport } from './report/report.ts';
import type { Section } from './report/report.ts';
import { startRig } from './rig.ts';
import type { Rig } from './rig.ts';
import { fullScale, quickScale } from './scale.ts';
import type { Scale } from './scale.ts';
import { setScene } from './scene.ts';
import { measureAgainst } from './sections/against.ts';
import { measureCalls } from './sections/calls.ts';
import { measureHeadless } from './sections/headless.ts';
import { measureHerd } from './sections/herd.ts';
import { measureIdle } from './sections/idle.ts';
import { measureInstances } from './sections/instances.ts';
import { measureLatency } from './sections/latency.ts';
import { measureStreams } from './sections/streams.ts';

type Measure<T> = (rig: Rig, scale: Scale) => Promise<T>;

/** Each can be measured alone. */
const sections: Record<string, Measure<Section>> = {
  calls: async (rig, scale) => (await measureCalls(await setScene(rig), scale)).section,
  idle: measureIdle,
  herd: measureHerd,
  streams: measureStreams,
  instances: (_rig, scale) => measureInstances(scale),
  headless: measureHeadless,
};

const usage = `pnpm bench [--quick] [--profile <folder>] [--only <section>] [--against <folder>]
  --quick    Seconds instead of minutes; writes nothing: shows that everything runs.
  --profile  Each instance writes a processor profile (.cpuprofile) there when it ends.
  --only     Measures one section, prints its table and its targets, and writes nothing. Sections:
             ${Object.keys(sections).join(', ')}.
  --against  Measures nothing but short calls and answers of 100 KB and 1 MB, in alternating rounds with the relay of
             another checkout of this repository, installed there; prints the ratios and writes nothing.`;

const page = new URL('../../docs/benchmarks.md', import.meta.url);
const longestMs = 60 * 60_000;

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    profile: { type: 'string' },
    against: { type: 'string' },
    only: { type: 'string' },
    help: { type: 'boolean' },
  },
});
const scale = values.quick ? quickScale : fullScale;
endInTime();
const measureOne = sections[values.only ?? ''];
if (values.help) console.log(usage);
else if (measureOne) await runOnly(measureOne);
else if (values.only !== undefined) {
  console.error(`There is no section "${values.only}".\n\n${usage}`);
  process.exitCode = 1;
} else if (values.against) {
  const section = await measureAgainst(path.resolve(values.against), scale);
  console.log(renderReport({ facts: describeMachine(new Date()), warnings: [], sections: [section] }));
} else await run();

/** Whatever hangs: what was started ends with us. */
function endInTime(): void {
  setTimeout(() => {
    console.error(`benchmarks did not end within ${longestMs / 60_000} minutes`);
    process.exit(1);
  }, longestMs).unref();
}

/** Each section has a rig of its own: the instances of another one would take processor time also while they do nothing. */
async function run(): Promise<void> {
  const warnings: string[] = [];
  const measured: Section[] = [];
  for (const [name, measure] of Object.entries<Measure<Section | Section[]>>({
    ...sections,
    calls: measureScene,
  })) {
    for (const warning of warnOfOthers(await shareOfOthers(), `before “${name}”`)) {
      console.error(`warning: ${warning}`);
      warnings.push(warning);
    }
    for (const section of [await onRig((rig) => measure(rig, scale))].flat()) {
      console.error(`measured: ${section.title}`);
      measured.push(section);
    }
  }
  const text = renderReport({ facts: describeMachine(new Date()), warnings, sections: measured });
  console.log(text);
  const missed = measured.flatMap(({ verdicts }) => verdicts).filter((verdict) => !isMet(verdict));
  if (values.quick) console.error('quick run: figures mean little, docs/benchmarks.md is left as it was');
  else writeFileSync(page, text);
  console.error(
    missed.length === 0 ? 'every bound is met' : `${missed.length} bounds are missed: see the page`,
  );
}

/** One section alone, with its targets. */
async function runOnly(measure: Measure<Section>): Promise<void> {
  const section = await onRig((rig) => measure(rig, scale));
  console.log(renderReport({ facts: describeMachine(new Date()), warnings: [], sections: [section] }));
}

async function onRig<T>(measure: (rig: Rig) => Promise<T>): Promise<T> {
  const rig = await startRig({ profileFolder: values.profile });
  try {
    return await measure(rig);
  } finally {
    await rig.stop();
  }
}

/** What is measured on one scene: half load needs the calls per second that were reached. */
async function measureScene(rig: Rig): Promise<Section[]> {
  const scene = await setScene(rig);
  const { section, capacity } = await measureCalls(scene, scale);
  return [section, await measureLatency(scene, scale, capacity)];
}
