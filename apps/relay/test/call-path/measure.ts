import { Session } from 'node:inspector/promises';
import type { Debugger, Profiler } from 'node:inspector';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPostgres, startRedis, waitFor } from '@tabletop-relay/testing';
import { connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import { startInstances } from '../instances.ts';

/** A source file of ours that a call ran through, and its functions, both in the order in which they began first. */
export interface PassedFile {
  /** From the root of the repository. */
  file: string;
  functions: string[];
}

export interface CallPaths {
  /** The world is connected to the instance that is asked. */
  local: PassedFile[];
  /** It is connected to another instance. Both are counted. */
  remote: PassedFile[];
}

const root = path.join(import.meta.dirname, '../../../..');
/** What runs in an instance: no tests, nor what stands in for worlds and callers. */
const ours = /^(apps\/relay|packages\/(?!testing|sdk|module-sdk)[\w-]+)\/src\/.*(?<!\.test)\.ts$/;

const calls = 12;
/** Calls that are made before: schemas compile, connections open, and caches fill. */
const warmUps = 30;
const idleWindows = 24;

/**
 * Finds the functions that one small call runs, over two whole instances in this process, a real Redis and a real Postgres. They
 * are those that ran in each of some calls, and in less than half of as many windows of the same length without a call.
 */
export async function measureCallPaths(): Promise<CallPaths> {
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  const cluster = await startInstances({ count: 2, redis: [redis.url], databaseUrl: postgres.url });
  const [first, second] = cluster.instances;
  try {
    const account = await createAccount(first.url);
    const key = await account.createKey();
    const pairing = await account.pair();
    const module = await connectModule(first.url, pairing, () => ({ data: {} }));
    const callOn = async (url: string): Promise<void> => {
      const answer = await fetch(`${url}/sys5e/skill-check?clientId=${pairing.clientId}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': key },
        body: JSON.stringify({ actorUuid: 'Actor.a', skill: 'prc' }),
      });
      if (answer.status !== 200) throw new Error(`the call was answered ${answer.status}`);
      await answer.arrayBuffer();
    };
    const local = await measure(() => callOn(first.url));
    const remote = await measure(() => callOn(second!.url));
    await module.close();
    return { local, remote };
  } finally {
    await cluster.stop();
    await Promise.all([postgres.stop(), redis.stop()]);
  }
}

/** A function by the script and the offset at which it begins. */
interface Ran {
  scriptId: string;
  file: string;
  name: string;
  range: Profiler.CoverageRange;
}

async function measure(call: () => Promise<void>): Promise<PassedFile[]> {
  for (let index = 0; index < warmUps; index++) await call();
  const session = new Session();
  session.connect();
  try {
    const ran = await findRan(session, call);
    return inOrder(ran, await findOrder(session, ran, call));
  } finally {
    session.disconnect();
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** What a call leaves to the next turns of the event loop is its own too; what batches write half a second later is not. */
const settleMs = 10;

async function findRan(session: Session, call: () => Promise<void>): Promise<Map<string, Ran>> {
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const counts = new Map<string, { ran: Ran; called: number; idle: number }>();
  const count = async (what: 'called' | 'idle', act: () => Promise<void>): Promise<void> => {
    await session.post('Profiler.takePreciseCoverage');
    await act();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    for (const ran of functionsOf(result)) {
      const counted = counts.get(idOf(ran)) ?? { ran, called: 0, idle: 0 };
      counts.set(idOf(ran), counted);
      counted[what] += 1;
    }
  };
  let longestMs = 0;
  for (let index = 0; index < calls; index++) {
    const since = performance.now();
    await count('called', async () => {
      await call();
      await pause(settleMs);
    });
    longestMs = Math.max(longestMs, performance.now() - since);
    await pause(20);
  }
  for (let index = 0; index < idleWindows; index++) await count('idle', () => pause(longestMs));
  await session.post('Profiler.stopPreciseCoverage');
  await session.post('Profiler.disable');
  return new Map(
    [...counts]
      .filter(([, { called, idle }]) => called === calls && idle < idleWindows / 2)
      .map(([id, { ran }]) => [id, ran]),
  );
}

function functionsOf(result: Profiler.ScriptCoverage[]): Ran[] {
  return result.flatMap(({ scriptId, url, functions }) => {
    const file = url.startsWith('file:') ? path.relative(root, fileURLToPath(url)) : '';
    if (!ours.test(file)) return [];
    return functions.flatMap(({ functionName: name, ranges: [range] }) =>
      // The first function of a script is the script.
      range && range.count > 0 && range.startOffset > 0 ? [{ scriptId, file, name, range }] : [],
    );
  });
}

const idOf = ({ scriptId, range }: Ran): string => `${scriptId}:${range.startOffset}`;

const orderedCalls = 5;

/** Marks the beginning of each function by a breakpoint that never holds, and makes some calls. Answers the order in each. */
async function findOrder(
  session: Session,
  ran: ReadonlyMap<string, Ran>,
  call: () => Promise<void>,
): Promise<string[][]> {
  let begun = new Set<string>();
  const marks = globalThis as { markCallPath?: (id: string) => boolean };
  marks.markCallPath = (id) => {
    begun.add(id);
    return false;
  };
  const orders: string[][] = [];
  await session.post('Debugger.enable');
  try {
    const sources = new Map<string, string>();
    for (const [id, { scriptId, range }] of ran) {
      const source =
        sources.get(scriptId) ?? (await session.post('Debugger.getScriptSource', { scriptId })).scriptSource;
      sources.set(scriptId, source);
      const locations = await beginningOf(session, scriptId, source, range);
      // Not every place of a function is passed, and two functions may begin at one place.
      for (const location of locations.slice(0, 3)) {
        const condition = `globalThis.markCallPath(${JSON.stringify(id)})`;
        await session.post('Debugger.setBreakpoint', { location, condition }).catch(() => {});
      }
    }
    // Setting the marks took the instances so much time that their leases may have ended.
    await waitFor(() =>
      call().then(
        () => true,
        () => false,
      ),
    );
    for (let index = 0; index < orderedCalls; index++) {
      await pause(20);
      begun = new Set();
      await call();
      await pause(settleMs);
      orders.push([...begun]);
    }
  } finally {
    await session.post('Debugger.disable');
    delete marks.markCallPath;
  }
  return orders;
}

/** The median place of a function in the orders. What runs beside calls too may come early in one of them. */
function placeIn(orders: readonly string[][], id: string): number {
  const places = orders
    .map((order) => order.indexOf(id))
    .filter((place) => place >= 0)
    .toSorted((one, other) => one - other);
  return places[places.length >> 1] ?? Infinity;
}

async function beginningOf(
  session: Session,
  scriptId: string,
  source: string,
  { startOffset, endOffset }: Profiler.CoverageRange,
): Promise<Debugger.BreakLocation[]> {
  const { locations } = await session.post('Debugger.getPossibleBreakpoints', {
    start: placeOf(scriptId, source, startOffset),
    end: placeOf(scriptId, source, endOffset),
    restrictToFunction: true,
  });
  return locations;
}

function placeOf(scriptId: string, source: string, offset: number): Debugger.Location {
  const before = source.slice(0, offset);
  const lineNumber = before.split('\n').length - 1;
  return { scriptId, lineNumber, columnNumber: offset - (before.lastIndexOf('\n') + 1) };
}

function inOrder(ran: ReadonlyMap<string, Ran>, orders: readonly string[][]): PassedFile[] {
  const sorted = Array.from(ran, ([id, { file, name }]) => ({
    file,
    name,
    place: placeIn(orders, id),
  })).toSorted((one, other) => one.place - other.place);
  const byFile = Map.groupBy(sorted, ({ file }) => file);
  return Array.from(byFile, ([file, functions]) => ({ file, functions: functions.map(({ name }) => name) }));
}
