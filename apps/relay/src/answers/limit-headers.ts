import type { HeaderList } from './answer-head.ts';

/** The RateLimit headers of a limit; `resetS` is the time until it gives again, in seconds. */
export function limitHeaders(limit: number, resetS: number): Record<string, string> {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': '0',
    'ratelimit-reset': String(resetS),
  };
}

/** The same for a call that is let through. */
export function limitHeaderList(limit: number, resetS: number, remaining: number): HeaderList {
  return [
    'ratelimit-limit',
    String(limit),
    'ratelimit-remaining',
    String(remaining),
    'ratelimit-reset',
    String(resetS),
  ];
}
