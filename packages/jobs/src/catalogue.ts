import { Type } from 'typebox';
import type { Static, TSchema } from 'typebox';

/** Everything that defines a job. */
export interface JobDefinition<Payload extends TSchema = TSchema> {
  summary: string;
  payload: Payload;
  /** Number of tries in total. A job may run more than once, so its handler must bear repetition. */
  attempts: number;
  /** Delay before the second try. It doubles with each further try. */
  backoffMs: number;
  /** A try that takes longer has failed. */
  timeoutMs: number;
  /** Five cron fields in UTC. A scheduled run has an empty payload. */
  schedule?: string;
  /**
   * The handler says when the job is over, and when the next attempt is due (`NextAttempt`). A run that throws is repeated after
   * `backoffMs` and counts as no attempt. Nothing is kept of a job that ended, so its id can be queued again.
   */
  untilDone?: boolean;
}

const nothing = Type.Object({}, { additionalProperties: false });

/** Every job by its name. Queue, schedule, retries and checks of payloads follow from it. */
export const jobs = {
  'usage-roll-up': {
    summary:
      'Raise the monthly counters in Redis to the usage that Postgres holds of recently used keys, and tell accounts of keys and webhooks that are in trouble.',
    payload: nothing,
    attempts: 3,
    backoffMs: 5_000,
    timeoutMs: 60_000,
    schedule: '*/5 * * * *',
  },
  expiry: {
    summary: 'Delete expired sessions, codes, requests and events.',
    payload: nothing,
    attempts: 3,
    backoffMs: 10_000,
    timeoutMs: 300_000,
    schedule: '*/15 * * * *',
  },
  'call-retention': {
    summary: 'Drop the calls, and their requests and answers, that are too old to keep.',
    payload: nothing,
    attempts: 3,
    backoffMs: 60_000,
    timeoutMs: 300_000,
    schedule: '10 * * * *',
  },
  retention: {
    summary: 'Create the partitions of the coming weeks and drop those whose records are too old to keep.',
    payload: nothing,
    attempts: 5,
    backoffMs: 60_000,
    timeoutMs: 300_000,
    schedule: '20 3 * * *',
  },
} as const satisfies Record<string, JobDefinition>;

/** The jobs of the queue `notifications`, whose receivers may be slow: no other job waits behind them. */
export const notificationJobs = {
  notify: {
    summary:
      'Deliver a notification: the job waits until it is due, attempts it, and waits between attempts.',
    payload: Type.Object(
      {
        id: Type.String(),
        /** The release before this one queues a job for each attempt, and this is its number. */
        try: Type.Optional(Type.Integer({ minimum: 1 })),
      },
      { additionalProperties: false },
    ),
    // NOTIFICATION_GIVE_UP_MS ends it sooner.
    attempts: 1_000_000,
    backoffMs: 5_000,
    timeoutMs: 120_000,
    untilDone: true,
  },
} as const satisfies Record<string, JobDefinition>;

export type JobCatalogue = Record<string, JobDefinition>;
export type JobName<C extends JobCatalogue = typeof jobs> = Extract<keyof C, string>;
export type JobPayload<Name extends JobName<C>, C extends JobCatalogue = typeof jobs> = Static<
  C[Name]['payload']
>;
