import { checkOutbound, outboundSettings } from '@tabletop-relay/outbound';
import {
  checkTransport,
  count,
  databaseSettings,
  milliseconds,
  processSettings,
  redisAddress,
  redisSettings,
  secret,
  transportSettings,
} from '@tabletop-relay/process';
import type { Config } from '@tabletop-relay/process';
import { Type } from 'typebox';

/** What a browser host decides about its browsers. */
export const browserSettings = {
  chromiumPath: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'The Chromium that runs headless sessions. Not set: the system’s, else the one from npm.',
    }),
  ),
  headlessAtOnce: count(
    4,
    'Headless sessions that this process runs at once; further ones wait for another.',
  ),
  headlessIdleMs: milliseconds(1_800_000, 'A headless session without calls or events for so long ends.', 1),
  // The job of a session is given up after eight days.
  headlessMaxMs: milliseconds(86_400_000, 'How long a headless session may run. A week at most.', 1),
  headlessStageMs: milliseconds(45_000, 'Time for one stage of a headless session’s log-in.', 1),
  headlessMemoryMb: Type.Integer({
    minimum: 256,
    default: 2048,
    description:
      'Memory of one headless session: all processes of its browser together; above it the session ends. Half of it is for the JavaScript of its page.',
    unit: 'MiB',
  }),
  requireSandbox: Type.Boolean({
    default: false,
    description:
      'Whether Chromium must run in its sandbox. off: where the system does not let it, as for root, it runs without, and each start says so.',
  }),
};

export const databasePool = 4;
/** A pool, and one that hears of changed sessions. */
export const databaseConnections = databasePool + 1;

/** Every setting of a browser host. It runs beside relays only, so it needs their Postgres. */
export const BrowserHostConfigSchema = Type.Object({
  ...databaseSettings,
  databaseUrl: secret('Postgres: the relay’s.'),
  ...redisSettings,
  jobsRedisUrl: Type.Optional(redisAddress('Redis of the job queues. Not set: the first of REDIS_URL.')),
  ...transportSettings,
  ...processSettings,
  ...outboundSettings,
  ...browserSettings,
});

/** A host that takes longer to stop is ended; other hosts take its sessions then. */
export const longestStopMs = 60_000;

export type BrowserHostConfig = Config<typeof BrowserHostConfigSchema>;

export type BrowserSettings = Pick<BrowserHostConfig, keyof typeof browserSettings>;

/** Returns the problems that the schema cannot express. */
export function checkBrowserHostConfig(config: BrowserHostConfig): string[] {
  return [...checkOutbound(config), ...checkTransport(config)];
}
