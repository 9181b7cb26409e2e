import type { PausePlace, StandingPause, WorldPause } from '@tabletop-relay/contract';
import type { Tables } from '@tabletop-relay/database';
import { sql } from 'kysely';
import type { Kysely, RawBuilder } from 'kysely';
import { ProblemError } from '../problem.ts';
import type { RefusedCaller } from '../problem.ts';

/** The pauses that may stand in the way of one credential: its own, and those of the worlds of its account. */
export interface Pauses {
  /** The pause that refuses a call: the key's own, else the oldest of the world. Without a world the key's alone. */
  standing(clientId?: string): StandingPause | undefined;
  /** All that stand of a world, the oldest first. */
  ofWorld(clientId: string): WorldPause[];
  /** When the last pause on the way to the world was lifted, on the monotonic clock; -Infinity where none was lately. */
  liftedAt(clientId: string): number;
}

/** What is kept of a pause beside a credential. */
export interface PauseRow {
  /** Null: it is of a world. */
  keyId: string | null;
  clientId: string | null;
  setIn: PausePlace;
  since: string;
  /** How long ago it was lifted, by the clock of Postgres; null: it stands. */
  liftedMsAgo: number | null;
}

/** Longer than the histories of streams. */
const rememberedFor = sql`interval '1 hour'`;

/**
 * The pauses of an account as a column of a query, those of keys for the named key alone. With it they come, and are kept,
 * with the credential that they refuse, so whoever cannot read one has no credential to let in.
 */
export const selectPauses = (accountId: string, keyId?: string): RawBuilder<PauseRow[]> => sql<PauseRow[]>`
  coalesce((select jsonb_agg(jsonb_build_object(
    'keyId', pause.key_id, 'clientId', pause.client_id, 'setIn', pause.set_in, 'since', pause.since,
    'liftedMsAgo', extract(epoch from clock_timestamp() - pause.lifted_at) * 1000))
  from pauses pause where pause.account_id = ${sql.ref(accountId)}
    and (pause.client_id is not null ${keyId === undefined ? sql`` : sql`or pause.key_id = ${sql.ref(keyId)}`})
    and (pause.lifted_at is null or pause.lifted_at > clock_timestamp() - ${rememberedFor})), '[]')`;

/** The pauses of an account's worlds as they are now. */
export async function readPauses(db: Kysely<Tables>, accountId: string): Promise<Pauses> {
  const rows = await db
    .selectFrom('pauses')
    .select(['keyId', 'clientId', 'setIn', sql<string>`since::text`.as('since')])
    .select(
      sql<number | null>`extract(epoch from clock_timestamp() - lifted_at)::float8 * 1000`.as('liftedMsAgo'),
    )
    .where('accountId', '=', accountId)
    .where('clientId', 'is not', null)
    .where((or) =>
      or.or([
        or('liftedAt', 'is', null),
        or('liftedAt', '>', sql<Date>`clock_timestamp() - ${rememberedFor}`),
      ]),
    )
    .execute();
  return pausesOf(rows);
}

/** What most accounts have. */
export const noPauses: Pauses = {
  standing: () => undefined,
  ofWorld: () => [],
  liftedAt: () => -Infinity,
};

/** To be called as soon as the rows were read: from then on time is counted here. */
export function pausesOf(rows: readonly PauseRow[], now = performance.now()): Pauses {
  if (rows.length === 0) return noPauses;
  const standing = rows
    .filter(({ liftedMsAgo }) => liftedMsAgo === null)
    .map(({ keyId, clientId, setIn, since }) => ({
      of: keyId === null ? ('world' as const) : ('key' as const),
      clientId,
      setIn,
      since: new Date(since).toISOString(),
    }))
    .toSorted((a, b) => (a.since < b.since ? -1 : 1));
  const ofWorld = (clientId: string | undefined) =>
    standing.filter((one) => one.of === 'world' && one.clientId === clientId);
  return {
    standing(clientId) {
      const found = standing.find((one) => one.of === 'key') ?? ofWorld(clientId)[0];
      return found && { of: found.of, setIn: found.setIn, since: found.since };
    },
    ofWorld: (clientId) => ofWorld(clientId).map(({ setIn, since }) => ({ setIn, since })),
    liftedAt: (clientId) =>
      rows
        .filter((row) => row.keyId !== null || row.clientId === clientId)
        .reduce(
          (last, { liftedMsAgo }) => Math.max(last, liftedMsAgo === null ? last : now - liftedMsAgo),
          -Infinity,
        ),
  };
}

/** Whoever asks for something: a key, or a connection token. */
export interface PauseHolder {
  readonly pauses: Pauses;
  /** What it calls reaches a paused world too. */
  readonly reachesPaused?: boolean;
}

/**
 * Refuses what a pause stands in the way of, for every way in: HTTP, streams, tickets, requests between worlds, sessions. Without a
 * world it asks for the key alone. Throws `paused`.
 */
export function refusePaused(holder: PauseHolder, clientId?: string, caller?: RefusedCaller): void {
  const problem = pausedProblem(holder, clientId, caller);
  if (problem) throw problem;
}

/** The problem that `refusePaused` throws; undefined where no pause stands in the way. */
export function pausedProblem(
  { pauses, reachesPaused }: PauseHolder,
  clientId?: string,
  caller?: RefusedCaller,
): ProblemError | undefined {
  const pause = pauses.standing(reachesPaused ? undefined : clientId);
  if (!pause) return undefined;
  return new ProblemError('paused', pausedDetail(pause, clientId), { pause, ...(caller && { caller }) });
}

function pausedDetail({ of, setIn, since }: StandingPause, clientId = ''): string {
  const what = of === 'key' ? 'This key' : `The world ${clientId}`;
  const where = setIn === 'relay' ? 'in the relay' : 'in the tabletop';
  return `${what} has been paused ${where} since ${since}. Nothing was sent. Who paused it lifts it there.`;
}
