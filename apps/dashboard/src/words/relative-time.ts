const relative = new Intl.RelativeTimeFormat('en');
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'medium' });

const units = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const satisfies [Intl.RelativeTimeFormatUnit, number][];

/** "3 minutes ago", "in 2 days", "just now". */
export function relativeTime(at: number, now: number): string {
  const seconds = (at - now) / 1000;
  for (const [unit, length] of units) {
    // Rounded as people round: 89 minutes are an hour, 29.9 days are 30.
    if (Math.abs(seconds) >= length * 0.99) return relative.format(Math.round(seconds / length), unit);
  }
  // A server's clock a little ahead of ours is no future.
  if (Math.abs(seconds) < 10) return 'just now';
  return relative.format(Math.trunc(seconds / 10) * 10, 'second');
}

/** "3 minutes", for what has gone on since then. */
export function elapsed(since: number, now: number): string {
  const text = relativeTime(since, now);
  return text.endsWith(' ago') ? text.slice(0, -4) : 'a moment';
}

const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const clockWithSeconds = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});
const dayAndClock = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** "21:04". */
export const clockTime = (at: string): string => clock.format(Date.parse(at));

/** "21:04:17". */
export const exactClock = (at: string): string => clockWithSeconds.format(Date.parse(at));

/** "24 Nov, 21:04". */
export const dayTime = (at: string): string => dayAndClock.format(Date.parse(at));

export const exactTime = (at: number): string => exact.format(at);

/** "9:07" of minutes and seconds; never below zero. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** "12 minutes", for how long to wait. */
export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} seconds`;
  if (seconds < 5_400) return `${Math.ceil(seconds / 60)} minutes`;
  return `${Math.ceil(seconds / 3_600)} hours`;
}
