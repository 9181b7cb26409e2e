import type { Database } from '@tabletop-relay/database';
import { sql } from 'kysely';
import { hmacCode } from '../auth/codes.ts';
import { ProblemError } from '../http/problem.ts';

const windowMs = 3_600_000;

/**
 * Counts a sign-in before the password is looked at, so that tries at once count too. From the fifth within
 * an hour on each must wait longer than the one before, up to three minutes: about 20 an hour. Known or
 * unknown addresses are treated alike.
 */
export async function countSignIn(
  db: Database,
  input: { secret: string; email: string; now: number },
): Promise<{ waitS: number }> {
  const key = hmacCode(input.secret, 'login-email', input.email);
  const now = new Date(input.now);
  const windowStart = new Date(input.now - windowMs);
  const failures = sql`(case when f.since < ${windowStart} then 0 else f.failures end) + 1`;
  const counted = await sql`
    insert into login_failures as f (email_hmac, failures, since, next_at) values (${key}, 1, ${now}, ${now})
    on conflict (email_hmac) do update set
      failures = ${failures},
      since = case when f.since < ${windowStart} then ${now} else f.since end,
      next_at = ${now}::timestamptz
        + case when ${failures} < 5 then 0 else least(180, 2 ^ least(${failures} - 5, 10)) end * interval '1 second'
    where f.next_at <= ${now} or f.since < ${windowStart}
    returning 1`.execute(db);
  if (counted.rows.length > 0) return { waitS: 0 };
  const row = await db
    .selectFrom('login_failures')
    .select('next_at')
    .where('email_hmac', '=', key)
    .executeTakeFirst();
  return { waitS: row ? Math.max(1, (row.next_at.getTime() - input.now) / 1000) : 0 };
}

/** After a right password the count starts anew. */
export async function forgetFailures(db: Database, secret: string, email: string): Promise<void> {
  await db
    .deleteFrom('login_failures')
    .where('email_hmac', '=', hmacCode(secret, 'login-email', email))
    .execute();
}

/** What a sign-in that came too early is told. */
export function tooEarly(waitS: number): ProblemError {
  return new ProblemError('rate_limited', 'Too many failed sign-ins for this address. Wait a little.', {
    retryAfterS: waitS,
  });
}
