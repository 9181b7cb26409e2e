import { execute } from './postgres.ts';

/** Makes a database read-only, or writable again, as operators and providers do; its connections are ended. */
export async function setReadOnly(ownerUrl: string, isReadOnly: boolean): Promise<void> {
  const [, name = ''] = /@\/(\w+)\?/.exec(ownerUrl) ?? [];
  // A session of the database itself could not undo it.
  const server = ownerUrl.replace(`@/${name}?`, '@/template1?');
  const setting = 'default_transaction_read_only';
  await execute(server, `alter database ${name} ${isReadOnly ? `set ${setting} = on` : `reset ${setting}`}`);
  // When it ends, they stay: they keep the setting that they began with.
  if (isReadOnly)
    await execute(server, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
}

/** Has Postgres refuse all rows of these tables as it does when its disk is full, until `mend` is called. */
export async function fillDisk(
  ownerUrl: string,
  tables: readonly string[],
): Promise<{ mend(): Promise<void> }> {
  await execute(
    ownerUrl,
    `create function refuse_as_full() returns trigger language plpgsql as $$ begin
       raise exception 'could not extend file: No space left on device' using errcode = 'disk_full';
     end $$`,
  );
  for (const table of tables)
    await execute(
      ownerUrl,
      `create trigger is_full before insert on ${table} execute function refuse_as_full()`,
    );
  return { mend: () => execute(ownerUrl, 'drop function refuse_as_full cascade') };
}
