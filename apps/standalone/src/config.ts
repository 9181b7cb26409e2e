import { browserSettings } from '@tabletop-relay/browser-host';
import { port, readConfig } from '@tabletop-relay/process';
import type { Config, Environment } from '@tabletop-relay/process';
import { checkRelayConfig, RelayConfigSchema } from '@tabletop-relay/relay';
import { checkNotificationSettings, keepSettings, notificationSettings } from '@tabletop-relay/worker';
import { Type } from 'typebox';

/** The settings of relay, worker and browser host, with those of the demo; nothing balances a single process, so it drains at once. */
export const StandaloneConfigSchema = Type.Object({
  ...RelayConfigSchema.properties,
  ...keepSettings,
  ...browserSettings,
  ...notificationSettings,
  logLevel: Type.Enum(RelayConfigSchema.properties.logLevel.enum, {
    default: 'warn',
    description: 'The least that is logged.',
  }),
  drainWaitMs: Type.Integer({ ...RelayConfigSchema.properties.drainWaitMs, default: 0 }),
  drainSpreadMs: Type.Integer({ ...RelayConfigSchema.properties.drainSpreadMs, default: 0 }),
  drainGraceMs: Type.Integer({ ...RelayConfigSchema.properties.drainGraceMs, default: 0 }),
  outboundAllow: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'As the relay’s. Not set: loopback (127.0.0.0/8, ::1) while PUBLIC_URL is not set either, then nothing.',
    }),
  ),
  demo: Type.Optional(
    Type.Boolean({
      description:
        'Whether a demo account and a demo world are there. Not set: they are while PUBLIC_URL is not set either.',
    }),
  ),
  demoPort: port('Port of the demo world’s page.', 3011),
});

type ReadConfig = Config<typeof StandaloneConfigSchema>;

export type StandaloneConfig = ReadConfig & Required<Pick<ReadConfig, 'outboundAllow' | 'demo'>>;

const loopback = ['127.0.0.0/8', '::1/128'];

/** Throws one `ConfigError` for all problems. */
export function readStandaloneConfig(env: Environment): StandaloneConfig {
  const check = (read: ReadConfig) => {
    const config = complete(read);
    return [...checkRelayConfig(config), ...checkNotificationSettings(config)];
  };
  return complete(readConfig(StandaloneConfigSchema, env, check));
}

/**
 * Until PUBLIC_URL is set, nobody but the person at this machine can use the relay: it opens loopback to webhooks and headless
 * worlds, and has an account whose sign-in it prints. For strangers, both would open what listens on this machine alone.
 */
function complete(read: ReadConfig): StandaloneConfig {
  const isPublic = read.publicUrl !== undefined;
  const { outboundAllow = isPublic ? [] : loopback, demo = !isPublic } = read;
  return { ...read, outboundAllow, demo };
}
