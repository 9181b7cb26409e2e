/** Whether a program may come back by itself after a close code. */
export type CallerRetry = 'no' | 'back-off' | 'as-told';

/** Every code that the relay closes a caller's socket with. */
export const callerCloseCodes = {
  normal: { code: 1000, meaning: 'Normal end', retry: 'no' },
  frameTooBig: { code: 1009, meaning: 'A message of more than twice the bound: files go over HTTP', retry: 'back-off' },
  goingAway: { code: 1012, meaning: 'This instance is going away, and no call is under way', retry: 'as-told' },
  temporary: { code: 4000, meaning: 'Temporary trouble: the stores, or too many sockets at once', retry: 'back-off' },
  keyRefused: { code: 4002, meaning: 'The key is unknown, was revoked, or has expired; or the first message was no `auth`', retry: 'no' },
  badMessages: { code: 4400, meaning: 'Sixty messages within a minute that could not be read, or were of no known type', retry: 'no' },
  forbidden: { code: 4403, meaning: 'The key may not be used: its account is disabled, or the world in the address is not its own', retry: 'no' },
  paused: { code: 4423, meaning: 'The key is paused', retry: 'back-off' },
  authTimeout: { code: 4408, meaning: 'No key within 10 s', retry: 'back-off' },
  tooMany: { code: 4429, meaning: 'Too many sockets of the key or the account, calls in the minute, or messages beside calls', retry: 'back-off' },
} as const satisfies Record<string, { code: number; meaning: string; retry: CallerRetry }>; // prettier-ignore

export type CallerClose = keyof typeof callerCloseCodes;

/** Whether a program may come back after its socket closed with `code`. Unknown codes mean to back off. */
export function callerRetryFor(code: number): CallerRetry {
  return Object.values(callerCloseCodes).find((entry) => entry.code === code)?.retry ?? 'back-off';
}
