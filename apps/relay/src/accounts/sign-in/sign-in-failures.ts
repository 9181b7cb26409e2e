import type { Database, RelaySecrets, Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import { hmacCode } from '../../credentials/codes.ts';

/** One count of failed sign-ins, over all instances. */
export interface FailureCount {
  /** Absent: of all accounts together. */
  account?: string;
  /** An address prefix or a device; empty: from wherever. */
  source: string;
  windowMs: number;
  /** The number of failures that cost nothing. */
  free: number;
  /** Of the tries after these each waits longer than the one before, all wait for the window's end, or none waits. */
  beyond: 'backOff' | 'waitForWindow' | 'goOn';
}

export interface FailureState {
  failures: number;
  /** Seconds until the next try is heard. */
  waitS: number;
}

export interface SignInFailures {
  /** As the counts stand, in their order. */
  read(counts: readonly FailureCount[]): Promise<FailureState[]>;
  /** Counts a try as failed before its password is looked at, so that tries at once count too. False: it must wait. */
  claim(counts: readonly FailureCount[]): Promise<boolean>;
  /** The try did not fail. The counts of this source and account alone begin anew; other counts lose one. */
  forgive(counts: readonly FailureCount[]): Promise<void>;
  /** The try did not fail, and did not succeed yet: each count loses one. */
  takeBack(counts: readonly FailureCount[]): Promise<void>;
  /** Forgets all that counts against an account. */
  clear(trx: Transaction<Tables>, account: string): Promise<void>;
}

const longestDelayS = 300;
/** Not the present: instances' clocks differ, and who came a moment earlier would have to wait. */
const anyTime = sql`to_timestamp(0)`;

export function createSignInFailures(deps: {
  db: Database;
  secrets: RelaySecrets;
  now: () => number;
}): SignInFailures {
  const { db, now } = deps;
  const keys = createKeys(deps.secrets[0]);
  const { hmacOf, isOf } = keys;
  const takeOne = (count: FailureCount) =>
    sql`update sign_in_failures set failures = greatest(0, failures - 1),
      next_at = ${anyTime} where ${isOf(count)}`.execute(db);

  return {
    async read(counts) {
      const at = new Date(now());
      // Of one text whatever the counts are, because making a text takes longer than the look-up.
      const { rows } = await sql<{ index: number; failures: number; nextAt: Date }>`
        select (asked.index - 1)::int as index, failures, next_at
        from unnest(${counts.map(({ account }) => hmacOf(account))}::bytea[], ${counts.map(({ source }) => source)}::text[])
          with ordinality as asked (account_hmac, source, index)
        join sign_in_failures using (account_hmac, source) where until > ${at}`.execute(db);
      const states = counts.map(() => ({ failures: 0, waitS: 0 }));
      for (const { index, failures, nextAt } of rows) {
        states[index] = { failures, waitS: Math.max(0, (nextAt.getTime() - at.getTime()) / 1000) };
      }
      return states;
    },
    async claim(counts) {
      const at = new Date(now());
      const { rows } = await claimAll(keys, counts, at).execute(db);
      return rows[0]?.claimed === counts.length;
    },
    async forgive(counts) {
      // A statement for each: one that held a row while it waited for another could end in a deadlock with a claim.
      await Promise.all(
        counts.map(async (count) => {
          const isPair = count.account !== undefined && count.source !== '';
          if (isPair) await db.deleteFrom('signInFailures').where(isOf(count)).execute();
          else await takeOne(count);
        }),
      );
    },
    async takeBack(counts) {
      await Promise.all(counts.map(takeOne));
    },
    async clear(trx, account) {
      // Locked in the order in which claims lock them.
      await sql`delete from sign_in_failures where ctid = any(array(
        select ctid from sign_in_failures where account_hmac = ${hmacOf(account)}
        order by source = '', source for update))`.execute(trx);
    },
  };
}

/** How a count is found: by the account's HMAC and the source. */
function createKeys(secret: string) {
  const hmacOf = (account: string | undefined) =>
    account === undefined ? Buffer.alloc(0) : hmacCode(secret, 'login-email', account);
  const isOf = ({ account, source }: FailureCount) =>
    sql<boolean>`account_hmac = ${hmacOf(account)} and source = ${source}`;
  return { hmacOf, isOf };
}

/** One statement: all counts grow, or none does while one of them has to wait. */
function claimAll(
  { hmacOf, isOf }: ReturnType<typeof createKeys>,
  counts: readonly FailureCount[],
  at: Date,
): RawBuilder<{ claimed: number }> {
  const blocked = sql.join(
    counts.map((count) => sql`(${isOf(count)} and next_at > ${at} and until > ${at})`),
    sql` or `,
  );
  // Always in this order, so that two of these statements never wait for each other.
  const claims = counts.map(
    (count, index) => sql`${claimName(index)} as (
      insert into sign_in_failures as f (account_hmac, source, failures, next_at, until)
      select ${hmacOf(count.account)}::bytea, ${count.source}, 1, ${nextAt(count, sql`1`, at, sql`${endOf(count, at)}::timestamptz`)}, ${endOf(count, at)}::timestamptz
      where not exists (select from sign_in_failures where ${blocked})
      on conflict (account_hmac, source) do update set
        failures = ${failuresAt(at)}, until = ${untilAt(at)},
        next_at = ${nextAt(count, failuresAt(at), at, untilAt(at))}
      where f.next_at <= ${at} or f.until <= ${at}
      returning 1)`,
  );
  const counted = counts.map((_, index) => sql`(select count(*) from ${claimName(index)})`);
  return sql<{ claimed: number }>`
    with ${sql.join(claims)} select (${sql.join(counted, sql` + `)})::int as claimed`;
}

const claimName = (index: number) => sql.raw(`claim_${index}`);
const endOf = (count: FailureCount, at: Date) => new Date(at.getTime() + count.windowMs);
const failuresAt = (at: Date) => sql`(case when f.until <= ${at} then 0 else f.failures end) + 1`;
const untilAt = (at: Date) => sql`(case when f.until <= ${at} then excluded.until else f.until end)`;

/** When the next try is heard after so many failures. */
function nextAt(
  { free, beyond }: FailureCount,
  failures: RawBuilder<unknown>,
  at: Date,
  until: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (beyond === 'goOn') return anyTime;
  const later =
    beyond === 'waitForWindow'
      ? until
      : sql`${at}::timestamptz + least(${longestDelayS}, 2 ^ least(${failures} - ${free}, 12)) * interval '1 second'`;
  return sql`case when ${failures} < ${free} then ${anyTime} else ${later} end`;
}
