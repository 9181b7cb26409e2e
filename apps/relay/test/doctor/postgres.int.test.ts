import { createTestDatabase, execute, setReadOnly } from '@tabletop-relay/testing';
import type { TestDatabase } from '@tabletop-relay/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkPostgres } from '../../src/doctor/check-postgres.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

async function findingOf(check: string, url = database.url) {
  const findings = await checkPostgres({ url, poolSize: 10, keyIds: [], now: Date.now });
  return findings.find((finding) => finding.check === check);
}

const found = (state: string, detail: RegExp, cure: RegExp) =>
  expect.objectContaining({
    state,
    detail: expect.stringMatching(detail) as string,
    cure: expect.stringMatching(cure) as string,
  });

it('the doctor finds a Postgres that is read-only', async () => {
  await setReadOnly(database.ownerUrl, true);
  expect(await findingOf('Postgres writes')).toEqual(found('problem', /read-only transaction/, /primary/));
});

it('the doctor finds a Postgres whose disk is full', async () => {
  await execute(
    database.ownerUrl,
    `create function refuse() returns event_trigger language plpgsql as $$ begin
       raise exception 'No space left on device' using errcode = 'disk_full';
     end $$;
     create event trigger is_full on ddl_command_end execute function refuse()`,
  );
  const full = found('problem', /No space left/, /disk of Postgres is full/);
  expect(await findingOf('Postgres writes')).toEqual(full);
});

it('a role that may make no temporary tables is not taken for a Postgres that is read-only', async () => {
  const [, name = ''] = /@\/(\w+)\?/.exec(database.url) ?? [];
  await execute(database.ownerUrl, `revoke temporary on database ${name} from public`);
  expect(await findingOf('Postgres writes')).toMatchObject({ state: 'ok' });
});

it('the doctor finds a role that may have fewer connections than the instances take', async () => {
  await execute(database.ownerUrl, `create role of_few login connection limit 9 in role ${database.role}`);
  const url = database.url.replace(/\/\/[^@]*@/, '//of_few@');
  const finding = await findingOf('Postgres connections', url);
  await execute(database.ownerUrl, 'drop role of_few');
  expect(finding).toEqual(found('warning', /limit of the role.* leaves 9/, /Raise it by/));
});
