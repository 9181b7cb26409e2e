import { errors } from '@tabletop-relay/contract';
import type { RelayOverview, SlowAccount } from '@tabletop-relay/contract';
import type { Database } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { noTimes, percentile, timeClasses } from './hour-counts.ts';
import { classOfOutcome } from './read-overview.ts';

const hourMs = 3_600_000;

/** How long a place of the lists is, and how many there are. */
const spans = {
  hour: { stepMs: 60_000, count: 60, hours: 1 },
  day: { stepMs: 600_000, count: 144, hours: 24 },
} as const;

const maxErrors = 20;
const maxAccounts = 20;

export interface RelayOverviewQuestion {
  span: keyof typeof spans;
  now: number;
}

/** The calls of all accounts. `slowest` lacks the addresses of the accounts, which another room knows. */
export async function readRelayOverview(
  db: Database,
  { span, now }: RelayOverviewQuestion,
): Promise<Omit<RelayOverview, 'slowest'> & { slowest: Omit<SlowAccount, 'email'>[] }> {
  const { stepMs, count, hours } = spans[span];
  const first = now - (now % stepMs) - (count - 1) * stepMs;
  const slowestSince = new Date(now - (now % hourMs) - hours * hourMs);
  const [counts, slowest] = await Promise.all([
    countByStep(db, first, stepMs),
    readSlowest(db, slowestSince),
  ]);
  const lists = { ok: zeros(count), refused: zeros(count), failed: zeros(count) };
  const byCode = new Map<string, number>();
  for (const { step, outcome, calls } of counts) {
    const list = lists[classOfOutcome(outcome)];
    // An instance whose clock is ahead counts in a minute to come.
    if (step < count) (list[step] as number) += Number(calls);
    if (outcome !== 'ok') byCode.set(outcome, (byCode.get(outcome) ?? 0) + Number(calls));
  }
  return {
    starts: Array.from({ length: count }, (_, index) => new Date(first + index * stepMs).toISOString()),
    ...lists,
    errors: [...byCode]
      .map(([code, calls]) => ({ code, calls }))
      .toSorted((one, other) => other.calls - one.calls)
      .slice(0, maxErrors),
    slowestSince: slowestSince.toISOString(),
    slowest,
  };
}

const zeros = (length: number): number[] => Array.from({ length }, () => 0);

async function countByStep(db: Database, first: number, stepMs: number) {
  const step = sql<number>`floor((extract(epoch from minute) * 1000 - ${first}) / ${stepMs})::int`;
  return await db
    .selectFrom('callMinutes')
    .select([step.as('step'), 'outcome', sql<string>`sum(calls)`.as('calls')])
    .where('minute', '>=', new Date(first))
    .groupBy(['step', 'outcome'])
    .execute();
}

/** The first class of times whose calls took over a second, counted from 1 as Postgres does. */
const firstSlow = timeClasses.indexOf(1_000) + 2;
const slowClasses = Array.from(
  { length: timeClasses.length + 2 - firstSlow },
  (_, index) => firstSlow + index,
);

const slowIn = (column: 'world_times' | 'relay_times'): RawBuilder<number> =>
  sql`sum(${sql.join(
    slowClasses.map((place) => sql`coalesce(${sql.ref(column)}[${sql.lit(place)}], 0)`),
    sql` + `,
  )})::float8`;

const codesOf = (wanted: 'refused' | 'failed') =>
  Object.keys(errors).filter((code) => classOfOutcome(code) === wanted);

const callsWith = (codes: string[]) =>
  sql<number>`coalesce(sum(calls) filter (where outcome = any(${codes})), 0)::float8`;

async function readSlowest(db: Database, since: Date) {
  const [world, relay] = [slowIn('world_times'), slowIn('relay_times')];
  const accounts = await db
    .selectFrom('callHours')
    .select(['accountId', sql<number>`sum(calls)::float8`.as('calls')])
    .select([callsWith(codesOf('refused')).as('refused'), callsWith(codesOf('failed')).as('failed')])
    .select([world.as('slowWorld'), relay.as('slowRelay')])
    .where('hour', '>=', since)
    .groupBy('accountId')
    .having(sql<boolean>`${world} + ${relay} > 0`)
    .orderBy(sql`${world} + ${relay}`, 'desc')
    .orderBy('accountId')
    .limit(maxAccounts)
    .execute();
  const times = await readTimes(db, accounts.map(({ accountId }) => accountId), since); // prettier-ignore
  return accounts.map((account) => {
    const { worldTimes, relayTimes } = times(account.accountId);
    return { ...account, worldP95: percentile(worldTimes, 0.95), relayP95: percentile(relayTimes, 0.95) };
  });
}

/** The times of these accounts, by class. */
async function readTimes(db: Database, accountIds: string[], since: Date) {
  const { rows } = await sql<{ accountId: string; place: string; world: string; relay: string }>`
    select account_id as "accountId", place, sum(world) as world, sum(relay) as relay
    from call_hours, unnest(world_times, relay_times) with ordinality as times(world, relay, place)
    where account_id = any(${accountIds}) and hour >= ${since}
    group by account_id, place`.execute(db);
  const byAccount = Map.groupBy(rows, ({ accountId }) => accountId);
  return (accountId: string) => {
    const [worldTimes, relayTimes] = [noTimes(), noTimes()];
    for (const { place, world, relay } of byAccount.get(accountId) ?? []) {
      worldTimes[Number(place) - 1] = Number(world);
      relayTimes[Number(place) - 1] = Number(relay);
    }
    return { worldTimes, relayTimes };
  };
}
