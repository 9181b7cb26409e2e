export { createSecret } from './credentials/secret.ts';
export { checkRelayConfig, RelayConfigSchema } from './config.ts';
export type { RelayConfig } from './config.ts';
export { listStoresAway } from './doctor/doctor.ts';
export { startInstance } from './instance.ts';
export type { RunningInstance } from './instance.ts';
