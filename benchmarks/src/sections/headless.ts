import { createRelay } from '@tabletop-relay/sdk';
import { findFreePort } from '@tabletop-relay/testing';
import { setTimeout as delay } from 'node:timers/promises';
import { openTabletops } from './tabletops.ts';
import type { Tabletop, Tabletops } from './tabletops.ts';
import type { Child, Usage } from '../processes/child.ts';
import type { Section } from '../report/report.ts';
import { showSpread, spreadOf } from '../report/statistics.ts';
import type { Rig } from '../rig.ts';
import type { Scale } from '../scale.ts';
import type { Seat } from '../seed.ts';

/** Pages go on loading pictures for a while after their world is online. */
const settleMs = 3_000;
const callers = 8;

interface Running {
  relay: Child;
  host: Child;
  apiKey: string;
  tabletops: Tabletops;
}

interface Measured {
  /** Milliseconds of the first start, with reading the browser from disk. */
  first: number;
  starts: number[];
  perSessionBytes: number;
  handshakesPerSecond: number;
  cpuMsPerHandshake: number;
}

/** What headless sessions take: until their world is online, in memory, and in handshakes. */
export async function measureHeadless(rig: Rig, { headless }: Scale): Promise<Section> {
  const running = await start(rig, headless.atOnce);
  try {
    const inARow = await measureStarts(running, headless.starts);
    const memory = await measureMemory(running, headless.atOnce);
    const handshakes = await measureHandshakes(running, headless.handshakeSeconds);
    return report({ ...inARow, ...memory, ...handshakes }, headless);
  } finally {
    // Ends its browser; a host that is only cut off would leave that to the system.
    await running.host.ask('stop');
    await running.host.stop();
    await running.tabletops.close();
  }
}

async function start(rig: Rig, atOnce: number): Promise<Running> {
  const port = String(await findFreePort());
  const relay = await rig.startInstance({
    PORT: port,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    OUTBOUND_ALLOW: '127.0.0.0/8',
    LIMIT_SESSION_HANDSHAKE: '1000000 per 1 min',
  });
  const host = await rig.startBrowserHost({
    HEADLESS_AT_ONCE: String(atOnce),
    OUTBOUND_ALLOW: '127.0.0.0/8',
  });
  const [{ apiKey }] = (await rig.seat(1)) as [Seat];
  return { relay, host, apiKey, tabletops: await openTabletops(relay.url) };
}

const sessionsOf = ({ relay, apiKey }: Running) => createRelay({ url: relay.url, apiKey }).sessions;

async function timeStart(running: Running, login: Tabletop): Promise<{ ms: number; sessionId: string }> {
  const begun = performance.now();
  const { sessionId } = await sessionsOf(running).start(login);
  return { ms: performance.now() - begun, sessionId };
}

async function measureStarts(running: Running, count: number): Promise<Pick<Measured, 'first' | 'starts'>> {
  const tabletop = await running.tabletops.open();
  const times: number[] = [];
  for (let index = 0; index <= count; index++) {
    const { ms, sessionId } = await timeStart(running, tabletop);
    times.push(ms);
    await sessionsOf(running).end(sessionId);
  }
  const [first = Number.NaN, ...starts] = times;
  return { first, starts };
}

async function measureMemory(running: Running, atOnce: number): Promise<Pick<Measured, 'perSessionBytes'>> {
  const tabletops = await Promise.all(Array.from({ length: atOnce }, () => running.tabletops.open()));
  const started = await Promise.all(tabletops.map((tabletop) => timeStart(running, tabletop)));
  await delay(settleMs);
  const perSessionBytes = (await running.host.ask<number>('browserBytes')) / atOnce;
  for (const { sessionId } of started) await sessionsOf(running).end(sessionId);
  return { perSessionBytes };
}

async function measureHandshakes(
  { relay, apiKey }: Running,
  seconds: number,
): Promise<Pick<Measured, 'handshakesPerSecond' | 'cpuMsPerHandshake'>> {
  const headers = { 'x-api-key': apiKey, 'x-tabletop-url': 'http://127.0.0.1:9', 'x-username': 'Ada' };
  const before = await relay.ask<Usage>('usage');
  const begun = performance.now();
  let done = 0;
  const callOn = async () => {
    for (; performance.now() - begun < seconds * 1000; done++) {
      const response = await fetch(`${relay.url}/session-handshake`, { method: 'POST', headers });
      if (!response.ok)
        throw new Error(`a handshake was answered ${response.status}: ${await response.text()}`);
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: callers }, callOn));
  const tookS = (performance.now() - begun) / 1000;
  const { cpuUs } = await relay.ask<Usage>('usage');
  return { handshakesPerSecond: done / tookS, cpuMsPerHandshake: (cpuUs - before.cpuUs) / 1000 / done };
}

function report(measured: Measured, { starts, atOnce }: Scale['headless']): Section {
  const mib = (bytes: number) => `${Math.round(bytes / 1_048_576)} MiB`;
  const seconds = (ms: number) => ms / 1000;
  return {
    title: 'Headless sessions',
    reading: [
      'One instance and one browser host, each a process of its own, and demo worlds on the same machine. A start goes from the',
      'handshake to the answer that the world is online, the start of a browser of its own included. Memory is the proportional set',
      'size of all processes of the browsers, of so many as run at once. A demo world’s page is light: a tabletop with',
      `maps and modules takes a multiple. Handshakes are asked for by ${callers} callers, and each makes a key pair of 2,048 bits.`,
    ].join('\n'),
    columns: ['What', 'Measured'],
    rows: [
      [
        `Until the world is online, ${starts} in a row`,
        `${showSpread(spreadOf(measured.starts.map(seconds)), 1)} s`,
      ],
      ['The first, which reads the browser from disk', `${seconds(measured.first).toFixed(1)} s`],
      [`Memory of a session’s browser, of ${atOnce} at once`, mib(measured.perSessionBytes)],
      ['Handshakes per second', measured.handshakesPerSecond.toFixed(1)],
      ['The instance’s processor time per handshake', `${measured.cpuMsPerHandshake.toFixed(0)} ms`],
    ],
    verdicts: [],
  };
}
