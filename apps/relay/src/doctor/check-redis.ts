import { Redis } from 'ioredis';
import { cureOfRedis, reasonOf } from '@tabletop-relay/process';
import { judgeClock, skewOf } from './check-postgres.ts';
import { ok, problem, unchecked, warning } from './finding.ts';
import type { Finding } from './finding.ts';

const answersWithinMs = 3_000;
/** Memory that a large reply may take on its way through pub/sub: docs/operations/stores.md. */
const smallestPubSubBuffer = 8_388_608;

/** Asks one Redis all that the relay needs of it. `name` is the setting that names it. */
export async function checkRedis(name: string, url: string, now: () => number): Promise<Finding[]> {
  const redis = new Redis(url.replace(/#.*/, ''), {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    enableReadyCheck: false,
    enableOfflineQueue: false,
    connectTimeout: answersWithinMs,
    commandTimeout: answersWithinMs,
    retryStrategy: () => null,
  });
  let lost: unknown;
  redis.on('error', (error) => (lost = error));
  try {
    await redis.connect();
    return [
      ...(await ifAllowed(name, 'clock', 'TIME', () => checkClock(name, redis, now))),
      ...(await ifAllowed(name, 'version, role and eviction', 'INFO', async () => {
        const info = readInfo(await redis.info());
        return [judgeVersion(name, info), ...judgeRole(name, info), judgeEviction(name, info)];
      })),
      ...(await ifAllowed(name, 'buffers and timeout', 'CONFIG|GET', async () => [
        ...(await checkBuffers(name, redis)),
        ...(await checkTimeout(name, redis)),
      ])),
      await checkRights(name, redis),
    ];
  } catch (error) {
    const cause = lost ?? error;
    return [problem(name, reasonOf(cause), cureOfRedis(name, reasonOf(cause)))];
  } finally {
    redis.disconnect();
  }
}

/** What a user may not ask is said as not checked. Nothing that an instance does needs it. */
async function ifAllowed(
  name: string,
  what: string,
  command: string,
  ask: () => Promise<Finding[]>,
): Promise<Finding[]> {
  try {
    return await ask();
  } catch (error) {
    if (!/NOPERM|unknown command/i.test(reasonOf(error))) throw error;
    return [
      unchecked(
        `${name} ${what}`,
        `its user may not ask ${command}`,
        `Look at the server yourself, or let the user ask: \`ACL SETUSER <user> +${command.toLowerCase()}\`.`,
      ),
    ];
  }
}

async function checkClock(name: string, redis: Redis, now: () => number): Promise<Finding[]> {
  const before = now();
  const [seconds, micros] = await redis.time();
  return [judgeClock(name, skewOf(Number(seconds) * 1_000 + Number(micros) / 1_000, before, now()))];
}

function readInfo(text: string): Map<string, string> {
  return new Map(
    text.split('\r\n').flatMap((line) => {
      const at = line.indexOf(':');
      return at > 0 ? [[line.slice(0, at), line.slice(at + 1)] as const] : [];
    }),
  );
}

function judgeVersion(name: string, info: ReadonlyMap<string, string>): Finding {
  const version = info.get('redis_version') ?? '';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 6 || (major === 6 && minor >= 2)) return ok(name, `version ${version}`);
  return problem(
    `${name} version`,
    `${version} lacks commands that scripts need`,
    'Move to Redis 7, or Valkey 8.',
  );
}

function judgeRole(name: string, info: ReadonlyMap<string, string>): Finding[] {
  const findings: Finding[] = [];
  if (info.get('role') === 'slave') {
    findings.push(
      problem(
        `${name} role`,
        'is a replica, which takes no writes',
        'Name the primary, or an address that follows it.',
      ),
    );
  }
  if (info.get('cluster_enabled') === '1') {
    findings.push(
      problem(
        `${name} mode`,
        'is in cluster mode',
        'Use servers that are not: several are shards, separated by commas.',
      ),
    );
  }
  return findings;
}

function judgeEviction(name: string, info: ReadonlyMap<string, string>): Finding {
  const policy = info.get('maxmemory_policy') ?? 'unknown';
  if (policy === 'noeviction') return ok(`${name} eviction`, policy);
  return problem(
    `${name} eviction`,
    `maxmemory-policy is ${policy}: claims and jobs may vanish`,
    'Set `maxmemory-policy noeviction`; with a provider, in its parameter group.',
  );
}

/** Connections on which nobody asks for a while are used again later. Those of subscriptions are never closed for it. */
async function checkTimeout(name: string, redis: Redis): Promise<Finding[]> {
  const [, seconds = '0'] = await redis.config('GET', 'timeout');
  if (seconds === '0') return [];
  return [
    warning(
      `${name} timeout`,
      `the server closes connections on which nothing was asked for ${seconds} s, and instances dial anew each time`,
      'Set `timeout 0`; `tcp-keepalive` finds peers that are gone.',
    ),
  ];
}

async function checkBuffers(name: string, redis: Redis): Promise<Finding[]> {
  const [, limits = ''] = await redis.config('GET', 'client-output-buffer-limit');
  const [, hard = ''] = /pubsub (\d+) /.exec(limits) ?? [];
  if (hard === '' || hard === '0' || Number(hard) >= smallestPubSubBuffer) return [];
  return [
    warning(
      `${name} buffers`,
      `client-output-buffer-limit of pubsub is ${hard} bytes: instances are cut off under load`,
      'Set `client-output-buffer-limit "pubsub 32mb 8mb 60"`.',
    ),
  ];
}

/** Does what instances do: a script, keys and channels of ours. */
async function checkRights(name: string, redis: Redis): Promise<Finding> {
  const key = `r:doctor:${process.pid}`;
  const script = `redis.call('set', KEYS[1], '1', 'px', 1000) return redis.call('publish', KEYS[1], '1')`;
  try {
    await redis.eval(script, 1, key);
    await redis.subscribe(key);
    return ok(`${name} rights`, 'scripts, keys and channels');
  } catch (error) {
    return problem(
      `${name} rights`,
      reasonOf(error),
      'Give the user the rights of docs/operations/stores.md#redis, and the server memory to write.',
    );
  }
}
