import { findOnline } from '@tabletop-relay/cluster';
import { asAppRole, connectDatabase, findRunningServer, readRelaySecrets } from '@tabletop-relay/database';
import { createLogger, readConfig } from '@tabletop-relay/process';
import type { Logger } from '@tabletop-relay/process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { accountParts } from './account-parts.ts';
import type { AdminDeps } from './admin/command.ts';
import { postgresAway } from './admin/ask-store.ts';
import { readArguments, readHelp, runAdminCommand } from './admin/run-command.ts';
import { runDoctor } from './doctor/doctor-command.ts';
import { createRecords } from './records/records.ts';
import { RelayConfigSchema } from './config.ts';
import type { RelayConfig } from './config.ts';
import { openStores } from './stores.ts';
import type { Stores } from './stores.ts';

const [command, ...rest] = process.argv.slice(2);
try {
  const help = readHelp(process.argv.slice(2));
  if (help !== undefined) process.stdout.write(`${help}\n`);
  else await (command === 'doctor' ? examine(rest) : operate());
} catch (error) {
  fail(postgresAway(error) ?? error);
}
// A connection on which a store falls silent would keep the process.
process.stdout.write('', () => process.exit());

function fail(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

/** Takes settings that a relay would refuse: they are what it looks at. */
async function examine(args: readonly string[]): Promise<void> {
  const { text, isWell } = await runDoctor(process.env, args);
  process.stdout.write(`${text}\n`);
  if (!isWell) process.exitCode = 1;
}

async function operate(): Promise<void> {
  const args = process.argv.slice(2);
  // A mistake in the arguments needs no database to be told.
  readArguments(args);
  const config = readConfig(RelayConfigSchema, process.env);
  // Standard output is the command's answer alone, for whoever reads it with another command.
  const log = createLogger({
    name: 'admin',
    level: 'warn',
    pretty: process.stderr.isTTY,
    destination: process.stderr,
  });
  const { db, databaseUrl, close } = await openBeside(config, log);
  const records = createRecords({ db, instanceId: 'admin', log });
  const { redisUrl: shards, jobsRedisUrl: redisUrl = shards[0], reread } = config;
  const deps: AdminDeps = {
    db,
    records,
    counts: accountParts.counts,
    secrets: readRelaySecrets(config.relaySecret),
    jobs: redisUrl ? { redisUrl, ...(reread && { reread }) } : { databaseUrl },
    findOnline: shards.length > 0 ? (clientIds) => findOnline(shards, clientIds, reread) : undefined,
    onStoreAway: fail,
  };
  try {
    process.stdout.write(`${await runAdminCommand(deps, args)}\n`);
  } finally {
    await records.stop();
    await close();
  }
}

/** The relay's own database: in the embedded default its server while it runs, else one for the moment. */
async function openBeside(
  relay: RelayConfig,
  logger: Logger,
): Promise<Pick<Stores, 'db' | 'databaseUrl' | 'close'>> {
  const dataDir = path.resolve(relay.dataDir);
  const running = findRunningServer(path.join(dataDir, 'postgres'));
  const url = relay.databaseUrl ?? (running && asAppRole(running));
  if (url) {
    const db = connectDatabase({ url, poolSize: 2, log: logger });
    return { db, databaseUrl: url, close: () => db.destroy() };
  }
  if (!existsSync(path.join(dataDir, 'postgres'))) {
    throw new Error(
      `no relay has kept data in ${dataDir} yet: set DATA_DIR or DATABASE_URL as the relay has it, or start it once`,
    );
  }
  return await openStores(relay, logger);
}
