export { finishSession } from './finish-session.ts';
export type { SessionEnd } from './finish-session.ts';
export { createMemoryShortLived } from './memory-short-lived.ts';
export { createRedisShortLived } from './redis-short-lived.ts';
export { newSealKey, openSealed, seal } from './seal.ts';
export { sessionJobs, sessionQueue } from './session-jobs.ts';
export type { ShortLived } from './short-lived.ts';
