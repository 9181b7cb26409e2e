import type { Database } from '@tabletop-relay/database';

/** When a world was connected; `to` is null where no end was recorded. */
export interface OnlineSpan {
  from: string;
  to: string | null;
}

const maxRows = 5_000;

/**
 * The times at which each world of an account was connected, as far as the connection log tells since then. A world whose
 * first entry is its end was connected before. A world without an entry is not in the answer.
 */
export async function readOnlineSpans(
  db: Database,
  { accountId, since }: { accountId: string; since: Date },
): Promise<Map<string, OnlineSpan[]>> {
  const newest = await db
    .selectFrom('connectionLogs')
    .select(['at', 'clientId', 'outcome'])
    .where('accountId', '=', accountId)
    .where('outcome', 'in', ['connected', 'disconnected'])
    .where('at', '>=', since)
    .orderBy('id', 'desc')
    .limit(maxRows)
    .execute();
  const byClient = Map.groupBy(newest.toReversed(), ({ clientId }) => clientId);
  return new Map([...byClient].map(([clientId, rows]) => [clientId, spansOf(rows, since)]));
}

/** An instance that died wrote no end, so a second beginning goes on with the first. */
export function spansOf(rows: readonly { at: Date; outcome: string }[], since: Date): OnlineSpan[] {
  const spans: OnlineSpan[] = [];
  for (const { at, outcome } of rows) {
    const open = spans.at(-1)?.to === null ? spans.at(-1) : undefined;
    if (outcome === 'connected') {
      if (!open) spans.push({ from: at.toISOString(), to: null });
    } else if (open) open.to = at.toISOString();
    else if (spans.length === 0) spans.push({ from: since.toISOString(), to: at.toISOString() });
  }
  return spans;
}
