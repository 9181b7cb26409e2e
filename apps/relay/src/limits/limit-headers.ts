/** The RateLimit headers of a limit; `resetS` is the time until it gives again, in seconds. */
export function limitHeaders(limit: number, resetS: number, remaining = 0): Record<string, string> {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(resetS),
  };
}
