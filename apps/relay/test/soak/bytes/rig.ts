import { findFreePort, startPostgres, startRedis } from '@tabletop-relay/testing';
import { createAccount } from '@tabletop-relay/testing/scenes';
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { startRelayProcess } from '../../process.ts';
import { createOthers } from './others.ts';
import type { Others } from './others.ts';
import type { HeavyCounts, HeavyTask } from './heavy-tenant.ts';

/** Three relays, fifty tenants that are measured, and one that pulls large replies. */
export interface Rig {
  others: Others;
  /** Pulls large replies for so long. */
  pull(ms: number): Promise<HeavyCounts>;
  /** The most memory that each relay has had so far. */
  highestMb(): number[];
  /** Ends all, and resolves with the warnings and errors that the relays logged. */
  stop(): Promise<string[]>;
}

const otherTenants = 50;

export async function startRig(load: Pick<HeavyTask, 'replyBytes' | 'atOnce'>): Promise<Rig> {
  const postgres = await startPostgres();
  const redis = await startRedis();
  const relays = await Promise.all(
    ['a', 'b', 'c'].map(async (instanceId) =>
      startRelayProcess({
        port: await findFreePort(),
        databaseUrl: postgres.url,
        redisUrl: redis.url,
        instanceId,
        env: { DRAIN_WAIT_MS: '0', DRAIN_SPREAD_MS: '0' },
      }),
    ),
  );
  const urls = relays.map(({ url }) => url);
  const others = await createOthers(urls, otherTenants);
  const heavy = await startHeavy(urls, load);
  const highest = relays.map(() => 0);
  const memory = setInterval(() => {
    relays.forEach(({ pid }, index) => (highest[index] = Math.max(highest[index] ?? 0, rssMb(pid))));
  }, 50);
  return {
    others,
    pull: async (ms) => (await tell(heavy, { ms })) as HeavyCounts,
    highestMb: () => highest.map(Math.round),
    async stop() {
      clearInterval(memory);
      await others.close();
      heavy.disconnect();
      const logs = await Promise.all(relays.map((relay) => relay.end('SIGTERM')));
      await redis.stop();
      await postgres.stop();
      return logs.flatMap((log) => log.split('\n').filter(isTrouble));
    },
  };
}

async function startHeavy(
  urls: readonly string[],
  load: Pick<HeavyTask, 'replyBytes' | 'atOnce'>,
): Promise<ChildProcess> {
  const account = await createAccount(urls[0] ?? '');
  const worlds: HeavyTask['worlds'] = [];
  for (const [index, ownerUrl] of urls.entries())
    worlds.push({
      pairing: await account.pair(),
      ownerUrl,
      askerUrl: urls[(index + 1) % urls.length] ?? '',
    });
  const task: HeavyTask = { worlds, key: await account.createKey(), ...load };
  const child = fork(new URL('heavy-tenant.ts', import.meta.url), { execArgv: [] });
  const ready = once(child, 'message');
  child.send(task);
  await ready;
  return child;
}

/** Processes that together use so many processors while they are told to. */
export async function startBurners(processors: number) {
  const share = Math.min(0.95, Math.max(0, processors / 2));
  const children = await Promise.all(
    [1, 2].map(async () => {
      const child = fork(new URL('burner.ts', import.meta.url), [String(share)], { execArgv: [] });
      await once(child, 'message');
      return child;
    }),
  );
  return {
    burn: (ms: number) => Promise.all(children.map((child) => tell(child, { ms }))),
    stop: () => children.forEach((child) => child.disconnect()),
  };
}

async function tell(child: ChildProcess, message: { ms: number }): Promise<unknown> {
  const answered = once(child, 'message');
  child.send(message);
  return (await answered)[0];
}

/** A warning, or worse, but for mails that nobody is to get here. */
const isTrouble = (line: string) =>
  !line.includes('no SMTP_URL') && Number(/"level":(\d+)/.exec(line)?.[1]) >= 40;

const rssMb = (pid: number) =>
  (1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])) / 1e6;
