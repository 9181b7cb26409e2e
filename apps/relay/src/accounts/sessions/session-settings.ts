import type { SettingsOf } from '@tabletop-relay/process';
import { Type } from 'typebox';

/** Browsers keep no cookie above 400 days. */
const duration = (value: number, description: string) =>
  Type.Integer({ minimum: 1_000, maximum: 34_560_000_000, default: value, description, unit: 'ms' });

/** How long a session lives. */
export const sessionSettings = {
  sessionIdleMs: duration(
    604_800_000,
    'Time without a request after which a session ends, 7 days. A change holds from the next use of a session on. An open event stream is no use.',
  ),
  sessionMaxMs: duration(
    2_592_000_000,
    'Time after sign-in at which a session ends however much it is used, 30 days. A change holds for new sessions.',
  ),
};

export type SessionTimes = SettingsOf<typeof sessionSettings>;
