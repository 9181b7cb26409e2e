export { sessionJobs, sessionQueue } from './session-jobs.ts';
export { createSessionNotices, lookUntil } from './session-notices.ts';
export type { SessionNotices } from './session-notices.ts';
export * from './session-states.ts';
export { createMemoryShortLived, createRedisShortLived } from './short-lived.ts';
export type { ShortLived } from './short-lived.ts';
