import { migrateToLatest } from './migrate.ts';

const url = process.env['DATABASE_URL'];
if (url === undefined) {
  console.error('set DATABASE_URL to the database to migrate (the embedded one migrates when it starts)');
  process.exit(2);
}

const log = { warn: (_detail: object, message: string) => console.error(message) };
try {
  const applied = await migrateToLatest({ url, log });
  console.log(applied.length > 0 ? `applied ${applied.join(', ')}` : 'the database is up to date');
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
