/** What to do about a Redis that does not take us, by what it or the system said. `setting` names it. */
export function cureOfRedis(setting: string, reason: string): string {
  if (/WRONGPASS|NOAUTH|invalid password|AUTH/.test(reason))
    return `Correct user and password in ${setting}.`;
  if (/NOPERM/.test(reason)) return 'Give the user the rights of docs/operations/stores.md#redis.';
  if (/ENOTFOUND|EAI_AGAIN/.test(reason)) return `The host in ${setting} has no address: correct it.`;
  if (/ECONNREFUSED/.test(reason))
    return `Nothing listens there: start Redis, or correct host and port in ${setting}.`;
  if (/another list of Redis shards/.test(reason))
    return `Give all instances the same ${setting}; to change it, docs/operations/scale.md.`;
  if (/another Redis than/.test(reason))
    return `Give all instances the same ${setting}; to change it on purpose, docs/operations/stores.md#change-redis.`;
  return `Make Redis reachable from here: address, firewall, and rediss:// where it speaks TLS.`;
}

const cures: Record<string, string> = {
  '25006':
    'It is a replica, or was set read-only: name the primary in {setting}, or have it take writes again.',
  '28000': 'The role of {setting} does not exist or may not log in: create it, or correct the URL.',
  '28P01': 'Correct the password in {setting}.',
  '3D000': 'Create the database, or correct its name in {setting}.',
  '42501': 'Run `pnpm migrate` with MIGRATE_DATABASE_URL set: it grants the rights.',
  '53100': 'The disk of Postgres is full: give it room.',
  '53300': 'Postgres has no connection left: raise max_connections or lower DATABASE_POOL.',
  '57P03': 'Postgres is starting or stopping: wait, or look at its log.',
  ENOTFOUND: 'The host in {setting} has no address: correct it, or the name servers of this machine.',
  EAI_AGAIN: 'The host in {setting} has no address: correct it, or the name servers of this machine.',
  ECONNREFUSED: 'Nothing listens there: start Postgres, or correct host and port in {setting}.',
  SELF_SIGNED_CERT_IN_CHAIN: 'Name its authority: `&sslrootcert=<file>` in {setting}.',
};

/** It cannot serve now, for another reason of its own: classes as in `isDatabaseAway`. */
const cannotServe = /^(08|28|53|57|58)...$/;

const silence = /timeout|terminated unexpectedly|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ECONNRESET/;

/** What to do about a Postgres that does not take us. Undefined where the failure is none of reaching it. */
export function cureOfPostgres(setting: string, error: unknown): string | undefined {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  const known = cures[code]?.replace('{setting}', setting);
  if (known !== undefined) return known;
  if (cannotServe.test(code)) return 'Postgres cannot serve now: its log says why.';
  return silence.test(`${code} ${message}`) ? unreachablePostgres(setting) : undefined;
}

export function unreachablePostgres(setting: string): string {
  return `Make Postgres reachable from here: address, firewall, TLS settings in ${setting}.`;
}
