import { waitFor } from '@tabletop-relay/testing';
import { createTally, startNumberedWorld } from '@tabletop-relay/testing/scenes';
import type { NumberedWorld, Tally, TallyOptions, TestAccount } from '@tabletop-relay/testing/scenes';
import { follow } from './follower.ts';
import type { Follower } from './follower.ts';

/** One world that sends numbered events, and its listeners. */
export interface Scene {
  world: NumberedWorld;
  followers: Follower[];
  /** What all listeners heard and were told, together. */
  counts(): Tally['counts'];
  /** An instance is about to end: nobody connects to it any more. */
  avoid(url: string): void;
  /**
   * Waits until every listener has come to the end, and compares what each heard and was told with what was sent. Answers
   * what does not agree.
   */
  findProblems(): Promise<string[]>;
  close(): void;
}

export interface SceneOptions {
  account: TestAccount;
  key: string;
  listeners: number;
  /** Addresses of the instances to connect to, in turn. */
  urls: readonly string[];
  /** Where the world connects first; like the listeners unless told. */
  worldUrl?: string;
  tally?: TallyOptions;
  /** Length of a text in each event. */
  bytes?: number;
  /** Listeners come back after up to so long. */
  returnMs?: number;
}

const patience = { timeoutMs: 60_000, intervalMs: 10 };

/** Resolves when every listener listens and the world knows it. */
export async function startScene(options: SceneOptions): Promise<Scene> {
  const { account, key, worldUrl, tally = { from: 1 }, bytes, returnMs } = options;
  const urls = [...options.urls];
  let turn = 0;
  const nextUrl = (): string => urls[turn++ % urls.length] as string;
  const worldUrls = worldUrl === undefined ? urls : [worldUrl];
  const pairing = await account.pair();
  const nextWorldUrl = (): string => worldUrls[0] ?? nextUrl();
  const world = startNumberedWorld({ nextUrl: nextWorldUrl, pairing, ...(bytes && { bytes }) });
  await world.connected;
  const path = `/hooks/subscribe?clientId=${pairing.clientId}`;
  const followers = await Promise.all(
    Array.from({ length: options.listeners }, () =>
      follow({ nextUrl, path, key, tally: createTally(tally), ...(returnMs && { returnMs }) }),
    ),
  );
  await waitFor(() => world.isWanted(), patience);
  const haveAll = (): boolean => followers.every((one) => one.tally.last === world.sent());
  return {
    world,
    followers,
    counts: () => addUp(followers.map((one) => one.tally.counts)),
    avoid(url) {
      for (const list of new Set([urls, worldUrls]))
        if (list.includes(url)) list.splice(list.indexOf(url), 1);
    },
    async findProblems() {
      world.setRate(0);
      await waitFor(() => world.isConnected() && world.isWanted(), patience);
      // One that returns just now hears of nothing before the next event.
      await waitFor(async () => {
        await world.send(1);
        return await waitFor(haveAll, { timeoutMs: 1_000, intervalMs: 5 }).then(
          () => true,
          () => false,
        );
      }, patience);
      for (const one of followers) one.tally.end(world.sent());
      return followers.flatMap((one) => one.tally.problems);
    },
    close() {
      world.close();
      for (const follower of followers) follower.stop();
    },
  };
}

function addUp(all: readonly Tally['counts'][]): Tally['counts'] {
  const sum = { event: 0, gap: 0, connected: 0, offline: 0, online: 0, told: 0, recovered: 0 };
  for (const counts of all) {
    for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += counts[name];
  }
  return sum;
}
