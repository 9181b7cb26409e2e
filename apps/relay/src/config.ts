import { Type } from 'typebox';
import { limitSettings } from './accounts/limits.ts';
import { parseIpAllowlist } from './auth/ip-allowlist.ts';
import { isLoopbackHost } from './http/public-url.ts';
import type { Static } from 'typebox';

const port = { minimum: 0, maximum: 65_535 };
const count = (value: number, description: string, minimum = 1) =>
  Type.Integer({ minimum, default: value, description });
const bytes = (value: number, description: string) =>
  Type.Integer({ minimum: 1, default: value, description, unit: 'bytes' });
const ms = (value: number, description: string, minimum = 0) =>
  Type.Integer({ minimum, default: value, description, unit: 'ms' });
const secret = (description: string, minLength = 1) =>
  Type.Optional(Type.String({ secret: true, minLength, description }));

/**
 * Every setting of an instance; `publicUrl` is the environment variable PUBLIC_URL. The reference is generated
 * from it.
 */
export const RelayConfigSchema = Type.Object({
  host: Type.String({ default: '127.0.0.1', description: 'Address to listen on. Images set 0.0.0.0.' }),
  port: Type.Integer({
    ...port,
    default: 3010,
    description: 'Port of the API, the module socket and the dashboard.',
  }),
  opsPort: Type.Optional(
    Type.Integer({ ...port, description: 'Port of `/metrics`. Not set: no metrics are served.' }),
  ),
  publicUrl: Type.Optional(
    Type.String({
      pattern: '^https?://[^/]+$',
      description:
        'The address that callers, modules and people use, without a slash at the end. Not set: the request’s own, for loopback hosts only.',
    }),
  ),
  databaseUrl: secret('Postgres. Not set: an embedded Postgres under DATA_DIR.'),
  redisUrl: Type.Array(Type.String({ pattern: '^rediss?://' }), {
    secret: true,
    default: [],
    description:
      'Redis. Several are shards: all instances name them in the same order. Not set: one instance on its own.',
  }),
  limitsRedisUrl: Type.Optional(
    Type.String({
      pattern: '^rediss?://',
      secret: true,
      description:
        'Redis in which limits are counted, the same for all instances. Not set: the first of REDIS_URL.',
    }),
  ),
  dataDir: Type.String({ default: '.data', description: 'Folder of the embedded default.' }),
  instanceId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Name of this instance. Not set: host name and six random characters.',
    }),
  ),
  trustedProxies: Type.Array(Type.String(), {
    default: [],
    description: 'CIDR ranges of the proxies whose X-Forwarded-For is believed.',
  }),
  smtpUrl: secret('Mail server; needs PUBLIC_URL. Not set: no mail; the embedded default logs it instead.'),
  mailFrom: Type.String({ default: 'Tabletop Relay <relay@localhost>', description: 'Sender of mails.' }),
  logLevel: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    description: 'The least that is logged.',
  }),
  relaySecret: secret(
    'Keys the HMACs of short codes; the same on all instances. Not set: generated into DATA_DIR in the embedded default.',
    32,
  ),
  registration: Type.Enum(['open', 'closed'], {
    default: 'open',
    description: 'Whether new accounts may register.',
  }),
  migrate: Type.Boolean({ default: true, description: 'Whether the database is migrated at start.' }),
  databasePool: count(10, 'Connections to Postgres per instance.'),
  callsPerMinute: count(300, 'Calls per minute and key; 0: no limit.', 0),
  callsInFlightPerClient: count(100, 'Calls that wait for one world, counted at its owner.'),
  callsInFlightPerKey: count(100, 'Calls of one key that wait, on each instance.'),
  callTimeoutMs: ms(
    10_000,
    'Time for a world’s answer; rests and the use of abilities, spells and items get twice as long.',
    1,
  ),
  argon2Running: count(2, 'Passwords that are hashed at once.'),
  argon2Waiting: count(32, 'Passwords that may wait to be hashed before sign-ins are answered `overloaded`.'),
  ...limitSettings,
  maxBodyBytes: bytes(1_048_576, 'Largest HTTP body.'),
  maxFrameBytes: bytes(16_777_216, 'Largest frame from a module.'),
  maxSendQueueBytes: bytes(
    1_048_576,
    'What may wait for a module that does not read before its callers are answered `overloaded`.',
  ),
  authTimeoutMs: ms(10_000, 'Time for a module’s first frame.', 1),
  heartbeatMs: ms(
    20_000,
    'Quiet time after which a module is pinged; after twice as long it is given up.',
    1_000,
  ),
  drainWaitMs: ms(10_000, 'At SIGTERM: time for balancers to notice that this instance is not ready.'),
  drainSpreadMs: ms(30_000, 'At SIGTERM: modules are told to come back spread over this time.'),
});

export type RelayConfig = Static<typeof RelayConfigSchema>;

/** What is wrong between settings, and what their schemas cannot tell of one. */
export function checkRelayConfig(config: RelayConfig): string[] {
  const problems: string[] = [];
  if (config.publicUrl && !isAddress(config.publicUrl)) {
    problems.push(
      `PUBLIC_URL must be an address like https://relay.example, not ${JSON.stringify(config.publicUrl)}`,
    );
  }
  const badProxy = config.trustedProxies.find((entry) => !isProxyRange(entry));
  if (badProxy !== undefined) {
    problems.push(
      `TRUSTED_PROXIES must be addresses or CIDR ranges, /1 and longer, not ${JSON.stringify(badProxy)}`,
    );
  }
  if (config.smtpUrl && !config.publicUrl)
    problems.push('PUBLIC_URL is not set and SMTP_URL is: mails carry links');
  if (!config.publicUrl && !isLoopbackHost(config.host)) {
    problems.push(`PUBLIC_URL is not set and HOST is ${config.host}: links need the address that people use`);
  }
  if (config.databaseUrl && !config.relaySecret) {
    problems.push('RELAY_SECRET is not set: give all instances the same 32 or more random characters');
  }
  return problems;
}

/** Host and port over http or https, and nothing else. */
function isAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.href === `${url.origin}/`;
}

/** Nobody's proxies are everywhere: Fastify takes no /0. */
function isProxyRange(entry: string): boolean {
  return !('badEntry' in parseIpAllowlist(entry)) && !/\/0+$/.test(entry);
}

/** What the operator should know of settings that are allowed; logged at each start. */
export function warnOfRelayConfig({ publicUrl }: Pick<RelayConfig, 'publicUrl'>): string[] {
  if (!publicUrl?.startsWith('http:') || isLoopbackHost(new URL(publicUrl).hostname)) return [];
  return [
    `PUBLIC_URL is ${publicUrl}: over plain http everybody on the way can read passwords, keys and tokens, and ` +
      'browsers do not guard the session cookie. Put https before the relay, as its documentation shows.',
  ];
}
