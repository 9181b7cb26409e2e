import { createTestDatabase } from '@tabletop-relay/testing';
import { pino } from 'pino';
import Value from 'typebox/value';
import { expect, it, onTestFinished } from 'vitest';
import { RelayConfigSchema } from '../../src/config.ts';
import type { RelayConfig } from '../../src/config.ts';
import { openStores } from '../../src/stores.ts';

it('a relay under the role that owns the tables works, and warns once at its start', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const warningsUnder = async (databaseUrl: string) => {
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    const config = Value.Default(RelayConfigSchema, { databaseUrl }) as RelayConfig;
    const stores = await openStores(config, log);
    await stores.close();
    return lines;
  };
  expect(await warningsUnder(database.ownerUrl)).toEqual([
    expect.stringMatching(/the role of DATABASE_URL owns the tables.*MIGRATE_DATABASE_URL/),
  ]);
  expect(await warningsUnder(database.url)).toEqual([]);
});
