/** The RateLimit headers of a limit. */
export type LimitHeaders = Record<'ratelimit-limit' | 'ratelimit-remaining' | 'ratelimit-reset', string>;

/** `resetS` is the time until the limit gives again, in seconds. Nothing remains of a limit by which a request is refused. */
export function limitHeaders(limit: number, resetS: number, remaining = 0): LimitHeaders {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(resetS),
  };
}
