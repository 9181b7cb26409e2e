import { troubleEndpoints } from '@tabletop-relay/contract';
import type { Queues } from '@tabletop-relay/contract';
import type { Database } from '@tabletop-relay/database';
import { readFailedJobs, readQueues } from '@tabletop-relay/jobs';
import type { JobsConnection } from '@tabletop-relay/jobs';
import type { Logger } from 'pino';
import { emailsOf } from '../accounts/operator.ts';
import { readRelayOverview } from '../call-log/hours/relay-overview.ts';
import type { RelayConfig } from '../config.ts';
import { serve } from '../endpoint-handler.ts';
import type { ServedEndpoint } from '../endpoint-handler.ts';
import { readRecentDeadLetters } from '../notifications/dead-letters.ts';
import { examineConfig } from './doctor.ts';
import type { Finding } from './finding.ts';
import { oncePer } from './once-per.ts';

export interface TroubleDeps {
  db: Database;
  jobs: JobsConnection;
  instanceId: string;
  config: RelayConfig;
  log: Pick<Logger, 'warn'>;
  now(): number;
  /** Unless given, the doctor's own checks. */
  examine?: () => Promise<Finding[]>;
}

/** The store of the queues is asked so often at most, and the doctor: it signs in to the mail server, and goes through the balancer. */
const queuesEveryMs = 5_000;
const findingsEveryMs = 60_000;

/** Rows of each list. */
const shown = 20;

/** The endpoints of an operator in trouble. */
export function serveTrouble(deps: TroubleDeps): ServedEndpoint[] {
  const { db, instanceId, config, now } = deps;
  const {
    examine = () => examineConfig({ config: current(config), env: process.env, now, withinMs: 5_000 }),
  } = deps;
  // Whoever asks while it is counted waits for that count: many pages cost Postgres as much as one.
  const overviews = {
    hour: oncePer(0, () => readRelayOverview(db, { span: 'hour', now: now() })),
    day: oncePer(0, () => readRelayOverview(db, { span: 'day', now: now() })),
  };
  const queues = oncePer(queuesEveryMs, () => askQueues(deps));
  const findings = oncePer(findingsEveryMs, async () => {
    const items = await examine();
    return {
      instanceId,
      checkedAt: new Date(now()).toISOString(),
      items: items.map(({ cure, ...finding }) => ({ ...finding, cure: cure ?? null })),
    };
  });
  return serve(troubleEndpoints, {
    async getRelayOverview({ query: { span = 'hour' } }) {
      const { slowest, ...overview } = await overviews[span]();
      const emails = await emailsOf(db, slowest.map(({ accountId }) => accountId)); // prettier-ignore
      return {
        ...overview,
        slowest: slowest.map((account) => ({ ...account, email: emails.get(account.accountId) ?? '' })),
      };
    },
    async getQueues() {
      const [asked, { letters, ...notifications }] = await Promise.all([
        queues(),
        readRecentDeadLetters(db, shown),
      ]);
      const emails = await emailsOf(db, letters.map(({ accountId }) => accountId)); // prettier-ignore
      return {
        ...asked,
        notifications,
        deadLetters: letters.map(({ createdAt, ...letter }) => ({
          ...letter,
          email: emails.get(letter.accountId) ?? null,
          createdAt: createdAt.toISOString(),
        })),
      };
    },
    listFindings: () => findings(),
  });
}

/** Passwords of stores may have changed since the start. */
function current({
  reread = (url) => url,
  databaseUrl,
  limitsRedisUrl,
  ...config
}: RelayConfig): RelayConfig {
  return {
    ...config,
    reread,
    redisUrl: config.redisUrl.map(reread),
    ...(databaseUrl !== undefined && { databaseUrl: reread(databaseUrl) }),
    ...(limitsRedisUrl !== undefined && { limitsRedisUrl: reread(limitsRedisUrl) }),
  };
}

/** Says that the store is away, and no more: the doctor has the reason. */
async function askQueues({ jobs, log }: TroubleDeps): Promise<Pick<Queues, 'queues' | 'failedJobs'>> {
  try {
    const [queues, failed] = await Promise.all([readQueues(jobs), readFailedJobs(jobs, shown)]);
    return {
      queues,
      // Why one failed may name what is its owner's: `pnpm admin dead-letters` says it.
      failedJobs: failed.map(({ queue, name, tries, failedAt }) => ({
        queue, name, tries, failedAt: failedAt?.toISOString() ?? null,
      })), // prettier-ignore
    };
  } catch (error) {
    log.warn({ err: error }, 'the queues cannot be read');
    return { queues: null, failedJobs: [] };
  }
}
