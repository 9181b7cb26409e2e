import type { Tables } from '@tabletop-relay/database';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { expect, it } from 'vitest';
import { createExplainAbsence } from './choose-client.ts';

const away = {
  selectFrom() {
    throw new Error('the connection was refused');
  },
} as unknown as Kysely<Tables>;

it('a world that nobody owns is not called offline while Postgres cannot say whether it exists', async () => {
  const explain = createExplainAbsence(away);
  expect(await explain('account', 'world-1')).toMatchObject({ code: 'unavailable' });
});

/** Answers every query with these rows. */
function databaseOf(rows: object[]): Kysely<Tables> {
  class RowsDriver extends DummyDriver {
    override acquireConnection() {
      return Promise.resolve({
        executeQuery: () => Promise.resolve({ rows: rows as never[] }),
        streamQuery: () => expect.unreachable(),
      });
    }
  }
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new RowsDriver(),
      createIntrospector: (of) => new PostgresIntrospector(of),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

it.each([
  [[{ lastSeenAt: new Date(5_000) }], { code: 'client_offline', fields: { lastSeen: 5_000 } }],
  [[{ lastSeenAt: null }], { code: 'client_offline', fields: { lastSeen: 0 } }],
  [[], { code: 'client_not_found' }],
])('a world that nobody owns, of which Postgres says %j, is explained by it', async (rows, problem) => {
  const explain = createExplainAbsence(databaseOf(rows));
  expect(await explain('account', 'world-1')).toMatchObject(problem);
});
