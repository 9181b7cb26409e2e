import { Type } from 'typebox';
import type { Static, TSchema } from 'typebox';

/** All there is to say of a job. */
export interface JobDefinition<Payload extends TSchema = TSchema> {
  summary: string;
  payload: Payload;
  /** Tries in all. A job may run more than once: its handler must be able to bear that. */
  attempts: number;
  /** Before the second try; doubles with each. */
  backoffMs: number;
  /** Longer, and the try has failed. */
  timeoutMs: number;
  /** When it runs by itself: five cron fields, UTC. Its payload is empty. */
  schedule?: string;
}

const nothing = Type.Object({}, { additionalProperties: false });

/** Every job, by name: queue, schedule, retry and checks follow from it. */
export const jobs = {
  'usage-roll-up': {
    summary: 'Tell the monthly counters in Redis what Postgres knows of the keys used lately.',
    payload: nothing,
    attempts: 3,
    backoffMs: 5_000,
    timeoutMs: 60_000,
    schedule: '*/5 * * * *',
  },
  expiry: {
    summary: 'Delete sessions, codes, requests and events that have had their time.',
    payload: nothing,
    attempts: 3,
    backoffMs: 10_000,
    timeoutMs: 300_000,
    schedule: '*/15 * * * *',
  },
  retention: {
    summary: 'Make the partitions of the weeks to come and drop those of records too old to keep.',
    payload: nothing,
    attempts: 5,
    backoffMs: 60_000,
    timeoutMs: 300_000,
    schedule: '20 3 * * *',
  },
} as const satisfies Record<string, JobDefinition>;

export type JobCatalogue = Record<string, JobDefinition>;
export type JobName<C extends JobCatalogue = typeof jobs> = Extract<keyof C, string>;
export type JobPayload<Name extends JobName<C>, C extends JobCatalogue = typeof jobs> = Static<
  C[Name]['payload']
>;
