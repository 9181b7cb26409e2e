/** A calendar month in UTC. */
export interface Month {
  /** The first day, in the form of the column in `key_usage`. */
  start: string;
  endsAt: number;
}

export function monthOf(at: number): Month {
  const date = new Date(at);
  const endsAt = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
  return { start: `${date.toISOString().slice(0, 7)}-01`, endsAt };
}
