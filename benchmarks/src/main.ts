import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { describeMachine, shareOfOthers, warnOfOthers } from './report/machine.ts';
import { isMet, renderReport, renderSection } from './report/report.ts';
import type { Section } from './report/report.ts';
import { startRig } from './rig.ts';
import type { Rig } from './rig.ts';
import { fullScale, quickScale } from './scale.ts';
import type { Scale } from './scale.ts';
import { setScene } from './scene.ts';
import { measureAgainst } from './sections/against.ts';
import { measureCallLog } from './sections/call-log.ts';
import { measureBodies } from './sections/bodies.ts';
import { measureCalls } from './sections/calls.ts';
import { measureFirstCall } from './sections/first-call.ts';
import { measureGrowth } from './sections/growth.ts';
import { measureIdle } from './sections/idle.ts';
import { measureInstances } from './sections/instances.ts';
import { measureLatency } from './sections/latency.ts';
import { measureStreams } from './sections/streams.ts';

const usage = `pnpm bench [--quick] [--profile <folder>] [--against <folder>] [--call-log] [--instances] [--streams]
                  [--first-call]
  --quick    Seconds instead of minutes; writes nothing: shows that everything runs.
  --profile  Each instance writes a processor profile (.cpuprofile) there when it ends.
  --against  Measures nothing but calls at 32 connections, in alternating rounds with the relay of another checkout
             of this repository, installed there; prints the ratio and writes nothing.
  --call-log  Measures only what the call log adds to a call; prints the table and writes nothing.
  --instances  Measures only what 1 to 100 simulated instances cost Redis; prints the table and writes nothing.
  --streams    Measures only event streams; prints the tables and writes nothing.
  --first-call  Measures only what the number of operations adds to a start and to a first call; writes nothing.`;

const page = new URL('../../docs/benchmarks.md', import.meta.url);
const longestMs = 40 * 60_000;

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    profile: { type: 'string' },
    against: { type: 'string' },
    'call-log': { type: 'boolean' },
    instances: { type: 'boolean' },
    streams: { type: 'boolean' },
    'first-call': { type: 'boolean' },
    help: { type: 'boolean' },
  },
});
if (values.help) console.log(usage);
else if (values.instances) {
  const section = await measureInstances(values.quick ? quickScale : fullScale);
  console.log([...describeMachine(new Date()), renderSection(section)].join('\n\n'));
} else if (values.streams) await runOnly(measureStreams, values.quick ? quickScale : fullScale);
else if (values['first-call']) await runOnly(measureFirstCall, values.quick ? quickScale : fullScale);
else if (values['call-log']) {
  const rig = await startRig();
  try {
    const section = await measureCallLog(rig, values.quick ? quickScale : fullScale);
    console.log([...describeMachine(new Date()), renderSection(section)].join('\n\n'));
  } finally {
    await rig.stop();
  }
} else if (values.against) {
  const section = await measureAgainst(values.against, values.quick ? quickScale : fullScale);
  console.log([...describeMachine(new Date()), renderSection(section)].join('\n\n'));
} else await run(values.quick ? quickScale : fullScale, values);

async function run(scale: Scale, { quick, profile }: { quick?: boolean; profile?: string }): Promise<void> {
  // Whatever hangs: what was started ends with us.
  setTimeout(() => {
    console.error(`benchmarks did not end within ${longestMs / 60_000} minutes`);
    process.exit(1);
  }, longestMs).unref();
  const warnings: string[] = [];
  const look = async (when: string) => {
    for (const warning of warnOfOthers(await shareOfOthers(), when)) {
      console.error(`warning: ${warning}`);
      warnings.push(warning);
    }
  };
  await look('before the start');
  const rig = await startRig({ profileFolder: profile });
  const sections: Section[] = [];
  try {
    for await (const section of measureAll(rig, scale)) {
      console.error(`measured: ${section.title}`);
      sections.push(section);
      await look(`after “${section.title}”`);
    }
  } finally {
    await rig.stop();
  }
  const text = renderReport({ facts: describeMachine(new Date()), warnings, sections });
  console.log(text);
  const missed = sections.flatMap(({ verdicts }) => verdicts).filter((verdict) => !isMet(verdict));
  if (quick) console.error('quick run: figures mean little, docs/benchmarks.md is left as it was');
  else writeFileSync(page, text);
  console.error(
    missed.length === 0 ? 'every target is met' : `${missed.length} targets are missed: see the page`,
  );
}

/** One section alone, with its targets. */
async function runOnly(measure: (rig: Rig, scale: Scale) => Promise<Section>, scale: Scale): Promise<void> {
  const rig = await startRig();
  try {
    const sections = [await measure(rig, scale)];
    console.log(renderReport({ facts: describeMachine(new Date()), warnings: [], sections }));
  } finally {
    await rig.stop();
  }
}

async function* measureAll(rig: Rig, scale: Scale): AsyncGenerator<Section> {
  const scene = await setScene(rig);
  const { section, capacity } = await measureCalls(scene, scale);
  yield section;
  yield await measureLatency(scene, scale, capacity);
  yield await measureCallLog(rig, scale);
  yield await measureBodies(scene, scale);
  yield await measureFirstCall(rig, scale);
  yield await measureGrowth(rig, scale);
  yield await measureIdle(rig, scale);
  yield await measureStreams(rig, scale);
  yield await measureInstances(scale);
}
