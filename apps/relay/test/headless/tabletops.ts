import { readRole } from '@tabletop-relay/database';
import { askForToken, writeStage } from '@tabletop-relay/headless';
import { migrateJobs } from '@tabletop-relay/jobs';
import { asOwner } from '@tabletop-relay/testing';
import { createAccount, sessionCaller } from '@tabletop-relay/testing/scenes';
import type { Answer, TestAccount } from '@tabletop-relay/testing/scenes';
import { expect } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstances } from '../instances.ts';

export interface PairedWorld {
  clientId: string;
  worldId: string;
}

/** A relay without a browser host, and an account. */
export interface Sessions {
  cluster: TestInstances;
  url: string;
  account: TestAccount;
}

export async function startSessions(): Promise<Sessions> {
  const config = { outboundAllow: ['127.0.0.0/8'], browserHostWaitMs: 20_000 };
  const cluster = await startInstances({ config });
  const [{ url }] = cluster.instances;
  await migrateJobs({ url: asOwner(cluster.databaseUrl), grantTo: await readRole(cluster.db) });
  return { cluster, url, account: await createAccount(url) };
}

let ports = 1;
/** The address of a tabletop that nobody else uses. */
export const newAddress = () => `http://127.0.0.1:${++ports}`;

export const naming = ({ clientId, worldId }: PairedWorld) => ({ clientId, worldId });

/** Tabletops without servers: what their pages say is written in the place of a browser host that is in its world. */
export function createTabletops(started: () => Sessions) {
  async function pairAt(pairedOrigin: string): Promise<PairedWorld> {
    const { cluster, account } = started();
    const worldId = `world-${++ports}`;
    const pairing = await account.pair({ worldId });
    await cluster.db
      .updateTable('knownClients')
      .set({ pairedOrigin })
      .where('clientId', '=', pairing.clientId)
      .execute();
    return { ...pairing, worldId };
  }

  async function sayWorld(tabletopUrl: string, world: Record<string, string>): Promise<void> {
    const { db } = started().cluster;
    const starting = db
      .selectFrom('headlessSessions')
      .select(['id', 'run'])
      .where('tabletopUrl', '=', tabletopUrl)
      .where('state', '=', 'starting');
    await expect.poll(() => starting.execute()).toHaveLength(1);
    const run = await starting.executeTakeFirstOrThrow();
    await writeStage(db, run, { stage: 'module', stageNumber: 1, stages: 0 });
    await askForToken(db, run, world);
  }

  const sessionAt = (tabletopUrl: string) =>
    started()
      .cluster.db.selectFrom('headlessSessions')
      .select(['id', 'state', 'clientId', 'tokenId', 'detail'])
      .where('tabletopUrl', '=', tabletopUrl)
      .executeTakeFirstOrThrow();

  const logIn = (key: string, tabletopUrl: string) =>
    sessionCaller(started().url, key).logIn({ tabletopUrl, username: 'Ada', password: 'p' });

  return {
    pairAt,
    sayWorld,
    sessionAt,
    logIn,
    /** The answer to a start at an address where a page says this. */
    async startAt(key: string, tabletopUrl: string, world: Record<string, string>): Promise<Answer> {
      const answered = logIn(key, tabletopUrl);
      await sayWorld(tabletopUrl, world);
      return await answered;
    },
    /** The client whose token the session at the address has; it is ended then. */
    async clientGivenAt(tabletopUrl: string, answered: Promise<unknown>): Promise<string | null> {
      const given = async () => (await sessionAt(tabletopUrl)).tokenId;
      await expect.poll(given).not.toBeNull();
      const { id, clientId } = await sessionAt(tabletopUrl);
      const { url, account } = started();
      await sessionCaller(url, account.masterKey).end(id);
      await answered;
      return clientId;
    },
  };
}
