import { notifiedEventNames } from '@tabletop-relay/contract';
import type { NotifiedEvent, WebhookKind } from '@tabletop-relay/contract';
import { connectDatabase, createSealer, newId, readRole } from '@tabletop-relay/database';
import type { Database } from '@tabletop-relay/database';
import { migrateJobs } from '@tabletop-relay/jobs';
import { createTestDatabase, startMailServer, startWebhookReceiver } from '@tabletop-relay/testing';
import type { TestDatabase } from '@tabletop-relay/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { Value } from 'typebox/value';
import { WorkerConfigSchema } from '../../src/config.ts';
import type { WorkerConfig } from '../../src/config.ts';
import { startWorker } from '../../src/worker.ts';
import type { Worker, WorkerOptions } from '../../src/worker.ts';

export const relaySecret = 'a secret for tests; long enough.';
const sealer = createSealer([relaySecret]);

export interface NewAccount {
  isConfirmed?: boolean;
  events?: readonly NotifiedEvent[];
  batchSeconds?: number;
  quietHours?: { quietFrom: string; quietTo: string; timeZone: string };
  webhooks?: { kind?: WebhookKind; url: string; secret?: string }[];
}

/** A database with accounts to tell, and the receivers that they are told at. It is a copy on the shared server unless given. */
export async function startNotified(own?: Pick<TestDatabase, 'url' | 'ownerUrl' | 'drop'>) {
  const database = own ?? (await createTestDatabase());
  const db = connectDatabase({ url: database.url, poolSize: 3, log: pino({ level: 'silent' }) });
  const receiver = await startWebhookReceiver();
  const mailServer = await startMailServer();
  await migrateJobs({ url: database.ownerUrl, grantTo: await readRole(db) });
  const workers: Worker[] = [];

  /** A worker with short waits. */
  async function startTestWorker(
    config: Partial<WorkerConfig> = {},
    times: WorkerOptions['notifierTimes'] = {},
  ): Promise<Worker> {
    const worker = await startWorker({
      config: Value.Default(WorkerConfigSchema, {
        databaseUrl: database.url,
        migrate: false,
        relaySecret: [relaySecret],
        smtpUrl: mailServer.url,
        publicUrl: 'https://relay.example',
        outboundAllow: ['127.0.0.0/8'],
        notificationRetryMs: 20,
        notificationTimeoutMs: 1_000,
        ...config,
      }) as WorkerConfig,
      log: pino({ level: 'silent' }),
      registry: new Registry(),
      notifierTimes: { everyMs: 20, settleMs: 0, recheckMs: 500, marginMs: 0, ...times },
    });
    workers.push(worker);
    return worker;
  }

  return {
    database,
    db,
    receiver,
    mailServer,
    startTestWorker,
    addAccount: (options: NewAccount) => addAccount(db, options),
    tell: (accountId: string, record: object) => tell(db, accountId, record),
    tellOfPassword: (accountId: string) => tellOfPassword(db, accountId),
    notificationsOf: (accountId: string) =>
      db.selectFrom('notifications').selectAll().where('accountId', '=', accountId).orderBy('id').execute(),
    async stopWorkers() {
      await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    },
    async stop() {
      await Promise.all(workers.splice(0).map((worker) => worker.stop()));
      await receiver.stop();
      await mailServer.stop();
      await db.destroy();
      await database.drop();
    },
  };
}

async function addAccount(db: Database, options: NewAccount) {
  const {
    isConfirmed = false,
    events = notifiedEventNames,
    batchSeconds = 0,
    webhooks = [],
    quietHours,
  } = options;
  const id = newId();
  const email = `${id}@example.org`;
  await db
    .insertInto('accounts')
    .values({
      id,
      email,
      passwordHash: '',
      masterKeyHash: Buffer.from(id),
      masterKeyHint: '',
      emailProvenAt: isConfirmed ? new Date() : null,
    })
    .execute();
  await db
    .insertInto('notificationSettings')
    .values({ accountId: id, events: [...events], emailEnabled: true, batchSeconds, ...quietHours })
    .execute();
  const webhookIds: string[] = [];
  for (const { kind = 'standard', url, secret } of webhooks) {
    const webhookId = newId();
    webhookIds.push(webhookId);
    await db
      .insertInto('webhooks')
      .values({
        id: webhookId,
        accountId: id,
        kind,
        label: new URL(url).host,
        sealedUrl: sealer.seal(url, `webhook url ${webhookId}`),
        sealedSecret:
          kind === 'standard' ? sealer.seal(secret ?? testSecret, `webhook secret ${webhookId}`) : null,
      })
      .execute();
  }
  return { id, email, webhookIds };
}

export const testSecret = `whsec_${Buffer.from('a secret of 32 bytes for a test!').toString('base64')}`;

/** Writes into the outbox what the relay writes there with a record of the connection log. */
async function tell(db: Database, accountId: string, record: object): Promise<void> {
  const usual = {
    id: newId(),
    at: new Date().toISOString(),
    client_id: 'world-1',
    world_title: 'Curse of Strahd',
    token_name: 'Firefox on Linux',
    outcome: 'connected',
    metadata_match: true,
    mismatch: [],
    attempts: 1,
  };
  await db
    .insertInto('notices')
    .values({ accountId, source: 'connection_logs', record: JSON.stringify({ ...usual, ...record }) })
    .execute();
}

/** Writes the notice of an audit entry that concerns the account's security. */
async function tellOfPassword(db: Database, accountId: string): Promise<void> {
  const record = { event: 'password.changed', outcome: 'ok', detail: {}, at: new Date().toISOString() };
  await db
    .insertInto('notices')
    .values({ accountId, source: 'audit_log', record: JSON.stringify(record) })
    .execute();
}
