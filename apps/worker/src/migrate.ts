import { connectDatabase, readRole } from '@tabletop-relay/database';
import { checkTransport, createLogger, readConfig } from '@tabletop-relay/process';
import { WorkerConfigSchema } from './config.ts';
import { migrateAll } from './migrate-all.ts';

// Standard output is the command's answer alone, for whoever reads it with another command.
const log = createLogger({
  name: 'migrate',
  level: 'warn',
  pretty: process.stderr.isTTY,
  destination: process.stderr,
});
try {
  const config = readConfig(WorkerConfigSchema, process.env, checkTransport);
  const db = connectDatabase({ url: config.databaseUrl, poolSize: 1, log });
  const role = await readRole(db);
  await db.destroy();
  const applied = await migrateAll({ config, role, log });
  process.stdout.write(
    applied.length > 0 ? `applied ${applied.join(', ')}\n` : 'the database is up to date\n',
  );
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
