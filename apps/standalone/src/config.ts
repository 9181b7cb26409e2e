import { browserSettings } from '@tabletop-relay/browser-host';
import { port } from '@tabletop-relay/process';
import type { Config } from '@tabletop-relay/process';
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
  outboundAllow: Type.Array(Type.String(), {
    ...RelayConfigSchema.properties.outboundAllow,
    default: ['127.0.0.0/8', '::1/128'],
  }),
  demo: Type.Boolean({ default: true, description: 'Whether a demo account and a demo world are there.' }),
  demoPort: port('Port of the demo world’s page.', 3011),
});

/** Returns the problems that the schema cannot express. */
export function checkStandaloneConfig(config: Config<typeof StandaloneConfigSchema>): string[] {
  return [...checkRelayConfig(config), ...checkNotificationSettings(config)];
}
