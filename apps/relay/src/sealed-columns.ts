import { sealedTotp } from './accounts/second-factors/totp.ts';
import { sealedWebhooks } from './notifications/read-settings.ts';

/** All that is sealed under RELAY_SECRET for longer than minutes. An old secret is needed until nothing here names it. */
export const sealedColumns = [sealedTotp, ...sealedWebhooks];
