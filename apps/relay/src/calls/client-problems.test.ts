import type { Tables } from '@tabletop-relay/database';
import type { Kysely } from 'kysely';
import { expect, it } from 'vitest';
import { createExplainAbsence } from './client-problems.ts';

const away = {
  selectFrom() {
    throw new Error('the connection was refused');
  },
} as unknown as Kysely<Tables>;

it('a world that nobody owns is not called offline while Postgres cannot say whether it exists', async () => {
  const explain = createExplainAbsence(away);
  expect(await explain('account', 'world-1')).toMatchObject({ code: 'unavailable' });
});
