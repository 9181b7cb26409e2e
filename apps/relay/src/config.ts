import { parseIpAllowlist } from '@tabletop-relay/kit';
import { checkOutbound, outboundSettings } from '@tabletop-relay/outbound';
import {
  checkTransport,
  count,
  databaseSettings,
  isLoopbackHost,
  mailSettings,
  port,
  processSettings,
  redisAddress,
  redisSettings,
  secrets,
  transportSettings,
  warnOfTransport,
} from '@tabletop-relay/process';
import type { Config, TransportConfig } from '@tabletop-relay/process';
import { Type } from 'typebox';
import { secondFactorConstants } from './accounts/second-factors/second-factor-constants.ts';
import { sessionSettings } from './accounts/sessions/session-settings.ts';
import { signInSettings } from './accounts/sign-in/sign-in-settings.ts';
import { callerSocketConstants } from './caller-sockets/caller-settings.ts';
import { callLogConstants, callLogSettings } from './call-log/call-log-settings.ts';
import { callConstants, callSettings } from './calls/call-settings.ts';
import { feedSettings } from './credentials/changes/credential-feed.ts';
import { passwordConstants, passwordSettings } from './credentials/passwords/password-settings.ts';
import { drainSettings } from './drain.ts';
import { headlessConstants, headlessSettings } from './headless/headless-settings.ts';
import { httpConstants, httpSettings } from './http/http-settings.ts';
import { reportSettings } from './instances/instance-reports.ts';
import { keyBounds, keyConstants } from './keys/bounds.ts';
import { keySettings } from './keys/key-settings.ts';
import { shedConstants, shedSettings } from './sockets/leaving/shed.ts';
import { socketConstants, socketSettings } from './sockets/socket-settings.ts';
import { limitSettings } from './limits/limits.ts';
import { streamSettings } from './streams/stream-settings.ts';
import { traceSettings } from './tracing/trace-settings.ts';
import { worldBounds, worldConstants } from './worlds/bounds.ts';

/**
 * Every setting of an instance; `publicUrl` is the environment variable PUBLIC_URL. Each room declares the settings
 * that it reads, and they are only put together here. The reference is generated from this schema.
 */
export const RelayConfigSchema = Type.Object({
  ...processSettings,
  port: port('Port of the API, the module socket and the dashboard.', 3010),
  ...httpSettings,
  ...databaseSettings,
  databasePool: count(
    10,
    'Connections to Postgres per instance. Two more carry what must not wait: the holds and the changes of credentials.',
  ),
  ...redisSettings,
  dataDir: Type.String({ default: '.data', description: 'Folder of the embedded default.' }),
  instanceId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        'Name of this instance, in logs and lists. Each has its own: one that starts while another runs under the name adds four letters to it. Not set: host name and six random characters.',
    }),
  ),
  ...mailSettings,
  ...outboundSettings,
  ...transportSettings,
  relaySecret: secrets(
    'Keys the HMACs of short codes and seals the secrets of authenticator apps and webhooks; the same on all instances. The first of several seals, and what any of them sealed opens: docs/operations/secrets.md. Not set: generated into DATA_DIR in the embedded default.',
    32,
  ),
  ...callSettings,
  ...keySettings,
  ...feedSettings,
  ...passwordSettings,
  ...signInSettings,
  ...sessionSettings,
  ...callLogSettings,
  ...limitSettings,
  ...worldBounds,
  ...keyBounds,
  ...headlessSettings,
  jobsRedisUrl: Type.Optional(redisAddress('Redis of the job queues. Not set: the first of REDIS_URL.')),
  ...socketSettings,
  ...streamSettings,
  ...drainSettings,
  ...reportSettings,
  ...shedSettings,
  ...traceSettings,
});

export type RelayConfig = Config<typeof RelayConfigSchema>;

/** What each room fixes for all instances. No environment variable changes it; tests give other values to `createRelay`. */
export const relayConstants = {
  ...httpConstants,
  ...callConstants,
  ...keyConstants,
  ...headlessConstants,
  ...secondFactorConstants,
  ...passwordConstants,
  ...callLogConstants,
  ...worldConstants,
  ...socketConstants,
  ...callerSocketConstants,
  ...shedConstants,
};

/** The settings of an instance for its rooms. */
export type RoomSettings = RelayConfig & typeof relayConstants;

/** Returns the problems between settings, and those of single settings that a schema cannot express. */
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
  if (config.databaseUrl && config.relaySecret.length === 0) {
    problems.push('RELAY_SECRET is not set: give all instances the same 32 or more random characters');
  }
  if (config.relaySecret.some(isGuessable)) {
    problems.push(
      'RELAY_SECRET is the sample of a page, or as easy to guess: take what `openssl rand -base64 32` prints',
    );
  }
  return [...problems, ...checkOutbound(config), ...checkTransport(config)];
}

/** Recognises the samples of our pages, and text typed only to reach the length. */
function isGuessable(secret: string): boolean {
  return /^(replace|change)[-_ ]?me/i.test(secret) || new Set(secret).size < 8;
}

/** Accepts host and port over http or https, and nothing else. */
function isAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.href === `${url.origin}/`;
}

/** Rejects /0, because it would trust every sender; Fastify refuses it too. */
function isProxyRange(entry: string): boolean {
  return !('badEntry' in parseIpAllowlist(entry)) && !/\/0+$/.test(entry);
}

/** Returns warnings about settings that are allowed but risky. They are logged at each start. */
export function warnOfRelayConfig(
  config: Pick<RelayConfig, 'publicUrl' | 'removed'> & TransportConfig,
): string[] {
  return [...(config.removed ?? []), ...warnOfPlainHttp(config.publicUrl), ...warnOfTransport(config)];
}

function warnOfPlainHttp(publicUrl: string | undefined): string[] {
  if (!publicUrl?.startsWith('http:') || isLoopbackHost(new URL(publicUrl).hostname)) return [];
  return [
    `PUBLIC_URL is ${publicUrl}: over plain http everybody on the way can read passwords, keys and tokens, and ` +
      'browsers do not guard the session cookie. Assistants cannot sign in, and need keys. Put https before the relay, as its documentation shows.',
  ];
}
