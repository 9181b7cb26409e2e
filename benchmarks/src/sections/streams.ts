import { setTimeout as delay } from 'node:timers/promises';
import type { Heard, ListenRequest, SendRequest } from '../processes/audience.ts';
import type { Child, Usage } from '../processes/child.ts';
import type { Section, Verdict } from '../report/report.ts';
import { showSpread, spreadOf } from '../report/statistics.ts';
import type { Spread } from '../report/statistics.ts';
import type { Rig } from '../rig.ts';
import type { Scale } from '../scale.ts';
import type { Seat } from '../seed.ts';
import { residentBytes } from '../resident-bytes.ts';

const acrossListeners = 10;
const warmUpEvents = 30;

/** What event streams cost: an event to many listeners, its way across instances, and a listener that hears nothing. */
export async function measureStreams(rig: Rig, scale: Scale): Promise<Section> {
  const fanOut = await measureFanOut(rig, scale);
  const across = await measureAcross(rig, scale);
  const idle = await measureIdleListeners(rig, scale);
  return {
    title: 'Event streams',
    reading: [
      'The floor holds responses open and writes the same bytes to each of their sockets. An event to many listeners of one',
      'world on one instance is taken from the module, numbered by Redis and written to each; the time is the instance’s own, and each',
      `round alternates with the floor. Across instances ${acrossListeners} listeners are on another instance than the world; the module and its`,
      'listeners are one process with one clock. Memory is what the process grew by for each listener, after full collections.',
    ].join('\n'),
    columns: ['What', 'Floor', 'Relay', 'Ratio'],
    rows: rowsOf({ fanOut, across, idle }, scale.streams),
    verdicts: verdictsOf({ fanOut, across, idle }, scale.streams),
  };
}

interface Measured {
  fanOut: Awaited<ReturnType<typeof measureFanOut>>;
  across: Awaited<ReturnType<typeof measureAcross>>;
  idle: Awaited<ReturnType<typeof measureIdleListeners>>;
}

function rowsOf({ fanOut, across, idle }: Measured, scale: Scale['streams']): string[][] {
  const { listeners, idleListeners, eventsPerSecond } = scale;
  const kb = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} KB`;
  const way = `Module to listener across instances at ${eventsPerSecond} a second`;
  const { floor, relay, ratio } = fanOut;
  return [
    [
      `CPU of an event to ${listeners} listeners, ms`,
      showSpread(floor, 2),
      showSpread(relay, 2),
      showSpread(ratio, 2),
    ],
    [`${way}, p50, ms`, '', showSpread(across.p50, 2), ''],
    [`${way}, p99, ms`, '', showSpread(across.p99, 2), ''],
    [
      `Resident memory of each of ${idleListeners} idle listeners`,
      kb(idle.floor),
      kb(idle.relay),
      (idle.relay / idle.floor).toFixed(2),
    ],
    [`CPU of an event to all ${idleListeners} of them, ms`, '', idle.eventMs.toFixed(1), ''],
    ['Time until the last of them has it, ms', '', idle.lastMs.toFixed(0), ''],
  ];
}

function verdictsOf({ fanOut, across, idle }: Measured, scale: Scale['streams']): Verdict[] {
  return [
    {
      what: `CPU of an event to ${scale.listeners} listeners`,
      target: 1.5,
      measured: fanOut.ratio.median,
      unit: 'x',
      whyMissed: 'each listener has its own filter, place and bound on what waits for it',
    },
    {
      what: `Module to listener across instances p99, ${scale.eventsPerSecond} events a second`,
      target: 20,
      measured: across.p99.median,
      unit: ' ms',
      whyMissed: 'instances, Redis, the world and its listeners share the processors here',
    },
    {
      what: 'Resident memory of an idle listener',
      target: 1.5,
      measured: idle.relay / idle.floor,
      unit: 'x',
      whyMissed: 'a listener has its place, its key and its filter beside the response',
    },
    {
      what: `Idle listeners on one instance, of ${scale.idleListeners}, that an event does not reach`,
      target: 0,
      measured: scale.idleListeners - idle.reached,
      unit: '',
      whyMissed: 'the instance could not hold so many',
    },
  ];
}

interface Audience extends Child {
  join(at: Child, seat: Seat): Promise<void>;
  listen(at: Child, seat: Seat, count: number): Promise<void>;
  send(request: SendRequest): Promise<Heard>;
  heard(clientId: string, number: number): Promise<void>;
}

async function startAudience(rig: Rig): Promise<Audience> {
  const child = await rig.startAudience();
  return {
    ...child,
    join: ({ url }, { clientId, token }) => child.ask('join', { url, clientId, token }),
    listen: ({ url }, { clientId, apiKey }, count) => {
      return child.ask('listen', { url, clientId, apiKey, count } satisfies ListenRequest);
    },
    send: (request) => child.ask('send', request),
    heard: (clientId, number) => child.ask('heard', { clientId, number }),
  };
}

async function cpuOf(child: Child, work: () => Promise<unknown>): Promise<number> {
  const before = await child.ask<Usage>('usage');
  await work();
  const after = await child.ask<Usage>('usage');
  return after.cpuUs - before.cpuUs;
}

async function measureFanOut(rig: Rig, { rounds, streams }: Scale) {
  const { listeners, fanOutEvents: events, fanOutPerSecond: perSecond } = streams;
  const [instance, floor] = [await rig.startInstance(), await rig.startServer('./held-responses.ts')];
  const [audience, bareAudience] = [await startAudience(rig), await startAudience(rig)];
  const [seat] = (await rig.seat(1)) as [Seat];
  await audience.join(instance, seat);
  await audience.listen(instance, seat, listeners);
  await bareAudience.listen(floor, seat, listeners);
  let sent = 0;
  const tell = async (count: number): Promise<unknown> => {
    const heard = audience.send({ clientId: seat.clientId, from: sent, events: count, perSecond });
    sent += count;
    return await heard;
  };
  let written = 0;
  const write = async (count: number): Promise<void> => {
    for (let event = 0; event < count; event++) {
      await floor.ask('write', { text: floorEvent(seat.clientId, written++) });
      await delay(1_000 / perSecond);
    }
    await bareAudience.heard(seat.clientId, written - 1);
  };
  await tell(warmUpEvents);
  await write(warmUpEvents);
  const costs = { relay: [] as number[], floor: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    costs.relay.push((await cpuOf(instance, () => tell(events))) / events / 1_000);
    costs.floor.push((await cpuOf(floor, () => write(events))) / events / 1_000);
  }
  await Promise.all([audience, bareAudience, instance, floor].map((child) => child.stop()));
  return {
    relay: spreadOf(costs.relay),
    floor: spreadOf(costs.floor),
    ratio: spreadOf(costs.relay.map((cost, round) => cost / (costs.floor[round] as number))),
  };
}

/** As long as what the relay sends. */
function floorEvent(clientId: string, number: number): string {
  const data = {
    clientId,
    channel: 'hooks',
    timestamp: Date.now(),
    hook: 'updateActor',
    args: [],
    sentAt: 1_700_000_000_000.123,
    text: 'x'.repeat(120),
    number,
  };
  return `id: ${'x'.repeat(16)}:${number}\nevent: updateActor\ndata: ${JSON.stringify(data)}\n\n`;
}

async function measureAcross(
  rig: Rig,
  { rounds, seconds, streams }: Scale,
): Promise<{ p50: Spread; p99: Spread }> {
  const { eventsPerSecond: perSecond } = streams;
  const [first, second] = [await rig.startInstance(), await rig.startInstance()];
  const audience = await startAudience(rig);
  const [seat] = (await rig.seat(1)) as [Seat];
  const { clientId } = seat;
  await audience.join(first, seat);
  await audience.listen(second, seat, acrossListeners);
  const events = Math.round(perSecond * seconds);
  await audience.send({ clientId, from: 0, events, perSecond });
  const heard: Heard[] = [];
  for (let round = 1; round <= rounds; round++) {
    heard.push(await audience.send({ clientId, from: round * events, events, perSecond }));
  }
  await Promise.all([audience, first, second].map((child) => child.stop()));
  return { p50: spreadOf(heard.map(({ p50Ms }) => p50Ms)), p99: spreadOf(heard.map(({ p99Ms }) => p99Ms)) };
}

async function measureIdleListeners(rig: Rig, { streams: { idleListeners, listeners } }: Scale) {
  const [instance, floor] = [await rig.startInstance(), await rig.startServer('./held-responses.ts')];
  const [audience, bareAudience] = [await startAudience(rig), await startAudience(rig)];
  const [warm, seat] = (await rig.seat(2)) as [Seat, Seat];
  const grow = async (at: Child, by: Audience): Promise<number> => {
    // What the code itself needs once it has run is not counted as the listeners'.
    await by.listen(at, warm, Math.min(100, listeners));
    const before = await residentBytes(at);
    await by.listen(at, seat, idleListeners);
    return ((await residentBytes(at)) - before) / idleListeners;
  };
  const memory = { relay: await grow(instance, audience), floor: await grow(floor, bareAudience) };
  for (const one of [warm, seat]) await audience.join(instance, one);
  await audience.send({ clientId: warm.clientId, from: 0, events: 1, perSecond: 1 });
  const events = 5;
  let lastMs = 0;
  let reached = idleListeners;
  const cpuUs = await cpuOf(instance, async () => {
    for (let number = 1; number <= events; number++) {
      const startedAt = performance.now();
      const heard = await audience.send({ clientId: seat.clientId, from: number, events: 1, perSecond: 1 });
      reached = Math.min(reached, heard.listeners);
      lastMs = Math.max(lastMs, performance.now() - startedAt);
    }
  });
  await Promise.all([audience, bareAudience, instance, floor].map((child) => child.stop()));
  return { ...memory, eventMs: cpuUs / events / 1_000, lastMs, reached };
}
