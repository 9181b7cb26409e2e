import type { JobCatalogue } from '@tabletop-relay/jobs';
import { Type } from 'typebox';

/** The queue that browser hosts take from. Workers have another. */
export const sessionQueue = 'headless';

const dayMs = 86_400_000;

/**
 * A host keeps the job for as long as it runs the session. If the host dies, the job's lock ends and another host gets it.
 */
export const sessionJobs = {
  'headless-session': {
    summary: 'Run a headless session: log in, and stay until it ends.',
    payload: Type.Object(
      {
        sessionId: Type.String(),
        /** Sealed for this session alone. The host that takes the job takes it out. */
        sealedPassword: Type.Optional(Type.String()),
      },
      { additionalProperties: false },
    ),
    attempts: 1,
    backoffMs: 0,
    // Above any life of a session: a host ends it by HEADLESS_MAX_MS.
    timeoutMs: 8 * dayMs,
  },
} as const satisfies JobCatalogue;
