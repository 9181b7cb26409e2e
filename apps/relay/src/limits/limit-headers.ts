/** The RateLimit headers of a limit that is spent; `waitS` until it gives again, in seconds. */
export function limitHeaders(limit: number, waitS: number): Record<string, string> {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': '0',
    'ratelimit-reset': String(waitS),
  };
}
