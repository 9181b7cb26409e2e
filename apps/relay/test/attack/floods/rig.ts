import { connectDatabase } from '@tabletop-relay/database';
import type { Database } from '@tabletop-relay/database';
import { findFreePort } from '@tabletop-relay/testing';
import { createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import { readFileSync } from 'node:fs';
import { defaultLimits } from '../../instances.ts';
import { startRelayProcess } from '../../process.ts';
import type { RelayProcess } from '../../process.ts';
import type { Tally } from '../tally.ts';
import { startBareListener, startFlooder } from './child.ts';
import type { BareListener, Flooder } from './child.ts';
import { createNeighbour } from './neighbour.ts';
import type { Neighbour } from './neighbour.ts';

/** A relay in a process of its own with the limits as they are documented, who floods it, and who lives beside. */
export interface FloodRig {
  url: string;
  db: Database;
  tally: Tally;
  flooder: Flooder;
  bare: BareListener;
  neighbour: Neighbour;
  /** The tenant that floods, where one does. */
  attacker: TestAccount;
  /** Its key, which may do everything. */
  attackerKey: string;
  /** A world of the attacker’s that was not used lately: the last one’s connection may linger. */
  nextWorld(): Pairing;
  /** Who has an account and wants to sign in. */
  people: readonly TestAccount[];
  /** Judged when the relay has ended, and so has written all that it counts. */
  atEnd(judge: (rig: FloodRig) => Promise<void>): void;
  /** Memory of the relay's process. */
  rssBytes(): number;
  /** A network on loopback that nobody came from yet. */
  nextNetwork(): string;
  stop(): Promise<void>;
}

const documentedLimits = Object.fromEntries(
  Object.entries(defaultLimits).map(([name, rate]) => [
    name.replace(/[A-Z]/g, '_$&').toUpperCase(),
    String(rate),
  ]),
);
const rightfulPeople = 12;
const attackersWorlds = 20;

export async function startFloodRig(
  databaseUrl: string,
  tally: Tally,
  env: Record<string, string> = {},
): Promise<FloodRig> {
  const relay: RelayProcess = await startRelayProcess({
    port: await findFreePort(),
    databaseUrl,
    instanceId: 'flooded',
    // Everybody here registers from one address.
    env: {
      DRAIN_WAIT_MS: '0',
      DRAIN_SPREAD_MS: '0',
      ...documentedLimits,
      LIMIT_REGISTER: '1000 per 1 min',
      LIMIT_PAIR: '100 per 15 min',
      ...env,
    },
  });
  const { url, pid } = relay;
  const log = { warn: () => {} };
  const db = connectDatabase({ url: databaseUrl, poolSize: 3, log });
  const flooder = await startFlooder();
  const bare = await startBareListener();
  const neighbour = await createNeighbour(url);
  const attacker = await createAccount(url);
  const attackerKey = await attacker.createKey();
  const worlds = await several(attackersWorlds, () => attacker.pair());
  const people = await several(rightfulPeople, () => createAccount(url));
  let networks = 0;
  let worldsUsed = 0;
  let isStopped = false;
  const judges = new Set<(rig: FloodRig) => Promise<void>>();
  const rig: FloodRig = {
    url,
    db,
    tally,
    flooder,
    bare,
    neighbour,
    attacker,
    attackerKey,
    nextWorld: () => worlds[worldsUsed++ % worlds.length] as Pairing,
    people,
    atEnd: (judge) => void judges.add(judge),
    rssBytes: () => 1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]),
    nextNetwork: () => `127.${10 + (networks++ % 240)}.0`,
    async stop() {
      if (isStopped) return;
      isStopped = true;
      await neighbour.close();
      await flooder.stop();
      await bare.stop();
      const output = await relay.end('SIGTERM');
      for (const line of output.split('\n')) judgeOutput(tally, line);
      for (const judge of judges) await judge(rig);
      await db.destroy();
    },
  };
  return rig;
}

/** One after the other. */
async function several<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  while (made.length < count) made.push(await make());
  return made;
}

/** An error of ours, or what Node prints when it dies. That a flood cost its own sender records is to be told. */
function judgeOutput(tally: Tally, line: string): void {
  const level = Number(/"level":(\d+)/.exec(line)?.[1]);
  if (line.includes('"reason":"rate_limited"')) return;
  if (level >= 50 || /^\s+at |Error:|heap out of memory/.test(line))
    tally.found('complaint', /"msg":"([^"]*)"/.exec(line)?.[1] ?? line.slice(0, 80), line);
}
