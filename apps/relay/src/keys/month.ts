/** A calendar month, UTC. */
export interface Month {
  /** Its first day, as `key_usage` has it. */
  start: string;
  endsAt: number;
}

export function monthOf(at: number): Month {
  const date = new Date(at);
  const endsAt = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
  return { start: `${date.toISOString().slice(0, 7)}-01`, endsAt };
}
