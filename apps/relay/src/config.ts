import {
  bytes,
  checkTransport,
  count,
  databaseSettings,
  isLoopbackHost,
  mailSettings,
  milliseconds,
  port,
  processSettings,
  redisSettings,
  secret,
  transportSettings,
  warnOfTransport,
} from '@tabletop-relay/process';
import type { Config, TransportConfig } from '@tabletop-relay/process';
import { Type } from 'typebox';
import { boundSettings } from './accounts/bounds.ts';
import { limitSettings } from './accounts/limits.ts';
import { parseIpAllowlist } from './auth/ip-allowlist.ts';

/**
 * Every setting of an instance; `publicUrl` is the environment variable PUBLIC_URL. The reference is generated
 * from it.
 */
export const RelayConfigSchema = Type.Object({
  ...processSettings,
  port: port('Port of the API, the module socket and the dashboard.', 3010),
  publicUrl: Type.Optional(
    Type.String({
      pattern: '^https?://[^/]+$',
      description:
        'The address that callers, modules and people use, without a slash at the end. Not set: the request’s own, for loopback hosts only.',
    }),
  ),
  hstsMaxAgeS: Type.Integer({
    minimum: 0,
    default: 31_536_000,
    unit: 's',
    description:
      'How long browsers shall use https alone for this host (HSTS). Sent where PUBLIC_URL is https; 0: they forget it.',
  }),
  ...databaseSettings,
  databasePool: count(10, 'Connections to Postgres per instance.'),
  ...redisSettings,
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
  ...mailSettings,
  ...transportSettings,
  relaySecret: Type.Optional(
    secret(
      'Keys the HMACs of short codes; the same on all instances. Not set: generated into DATA_DIR in the embedded default.',
      32,
    ),
  ),
  registration: Type.Enum(['open', 'closed'], {
    default: 'open',
    description: 'Whether new accounts may register.',
  }),
  callsPerMinute: count(300, 'Calls per minute and key; 0: no limit.', 0),
  callsInFlightPerClient: count(100, 'Calls that wait for one world, counted at its owner.'),
  callsInFlightPerKey: count(100, 'Calls of one key that wait, on each instance.'),
  callTimeoutMs: milliseconds(
    10_000,
    'Time for a world’s answer; rests and the use of abilities, spells and items get twice as long.',
    1,
  ),
  argon2Running: count(2, 'Passwords that are hashed at once.'),
  argon2WaitingPerAddress: count(
    32,
    'Passwords of one address that may wait to be hashed before its next is answered `overloaded`; of an IPv6 /48 four times as many.',
  ),
  argon2Waiting: count(
    1_000,
    'Passwords that may wait to be hashed in all. Over it the address that has most of them waiting loses one.',
  ),
  signInWaitMs: milliseconds(
    30_000,
    'Time within which a password that waits in line is looked at; else it is answered `overloaded`.',
    1_000,
  ),
  signInFailuresPerPair: count(
    5,
    'Failed sign-ins within an hour of one account from one address; from then on each must wait longer, up to 5 minutes.',
  ),
  signInFailuresPerDevice: count(
    10,
    'Failed sign-ins within an hour of one account on a device where it was signed in; from then on the device counts as a stranger’s.',
  ),
  signInFailuresPerAccount: count(
    10,
    'Failed sign-ins within an hour of one account from wherever; from then on strangers to it wait in line for theirs.',
  ),
  strangersPerAddress: count(
    3,
    'Strangers of one address that may wait in the line of one account; of an IPv6 /48 four times as many.',
  ),
  strangersWaiting: count(1_000, 'Strangers that may wait in the lines of all accounts on one instance.'),
  recordsWaiting: count(
    20_000,
    'Rows of logs that may wait in memory for Postgres; beyond it the account with the most loses its oldest.',
  ),
  recordsWaitingPerAccount: count(
    5_000,
    'The same for one account, and for all attempts together that no account owns.',
  ),
  countedAttempts: count(
    2_000,
    'Pairs of address and world whose attempts to connect are counted at once; beyond it they are counted by address.',
  ),
  ...limitSettings,
  ...boundSettings,
  maxBodyBytes: bytes(1_048_576, 'Largest HTTP body.'),
  maxAccountBodyBytes: bytes(65_536, 'Largest HTTP body of an account endpoint.'),
  maxPendingBodyBytes: bytes(
    67_108_864,
    'What all HTTP bodies that are not whole yet may take together, those up to 16 KiB apart; one address may take a quarter of it.',
  ),
  maxConnections: count(20_000, 'Connections to an instance, sockets of modules included.'),
  maxConnectionsPerAddress: count(
    500,
    'Connections of one address (IPv6: of a /64, four times as many of a /48) to an instance, sockets of modules included. Those of TRUSTED_PROXIES have no such limit.',
  ),
  maxFrameBytes: bytes(16_777_216, 'Largest frame from a module.'),
  largeFrameBytes: bytes(
    262_144,
    'A frame from a module above it is parsed only when a call waits for it; others are dropped and counted.',
  ),
  moduleBytesPerSecond: bytes(
    8_388_608,
    'What a module may send on end; above it its socket is read more slowly. What no call waits for counts eightfold where it is parsed, twice where it is dropped.',
  ),
  moduleBurstBytes: bytes(134_217_728, 'What a module may send at once.'),
  moduleFramesPerSecond: count(1_000, 'Frames that answer no call which a module may send on end.'),
  moduleBurstFrames: count(4_000, 'Frames that answer no call which a module may send at once.'),
  modulePatienceMs: milliseconds(
    60_000,
    'After so long above its rates without a rest a module is closed with 4000.',
  ),
  frameLogLines: count(
    20,
    'Log lines per minute and module about frames that could not be used; the next line says how many were left out.',
  ),
  maxSendQueueBytes: bytes(
    1_048_576,
    'What may wait for a module that does not read before its callers are answered `overloaded`.',
  ),
  admissionsRunning: count(
    64,
    'Connecting modules whose token and claim are checked at once: few enough to leave the stores room for calls.',
  ),
  admissionsWaiting: count(
    20_000,
    'Connecting modules that may wait for their checks; further ones are closed with 4000.',
  ),
  admissionPatienceMs: milliseconds(
    250,
    'After so long the checks of a connecting module keep no other waiting; asking the browser that is connected already takes longer.',
  ),
  authTimeoutMs: milliseconds(10_000, 'Time for a module’s first frame.', 1),
  heartbeatMs: milliseconds(
    20_000,
    'Quiet time after which a module is pinged; after twice as long it is given up.',
    1_000,
  ),
  drainWaitMs: milliseconds(
    10_000,
    'At SIGTERM: time for balancers to notice that this instance is not ready.',
  ),
  drainSpreadMs: milliseconds(30_000, 'At SIGTERM: modules are told to come back spread over this time.'),
});

export type RelayConfig = Config<typeof RelayConfigSchema>;

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
  if (config.relaySecret && isGuessable(config.relaySecret)) {
    problems.push(
      'RELAY_SECRET is the sample of a page, or as easy to guess: take what `openssl rand -base64 32` prints',
    );
  }
  return [...problems, ...checkTransport(config)];
}

/** A sample of our pages, or what somebody typed to reach the length. */
function isGuessable(secret: string): boolean {
  return /^(replace|change)[-_ ]?me/i.test(secret) || new Set(secret).size < 8;
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
export function warnOfRelayConfig(config: Pick<RelayConfig, 'publicUrl'> & TransportConfig): string[] {
  return [...warnOfPlainHttp(config.publicUrl), ...warnOfTransport(config)];
}

function warnOfPlainHttp(publicUrl: string | undefined): string[] {
  if (!publicUrl?.startsWith('http:') || isLoopbackHost(new URL(publicUrl).hostname)) return [];
  return [
    `PUBLIC_URL is ${publicUrl}: over plain http everybody on the way can read passwords, keys and tokens, and ` +
      'browsers do not guard the session cookie. Put https before the relay, as its documentation shows.',
  ];
}
