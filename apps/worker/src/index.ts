export { keepSettings, WorkerConfigSchema } from './config.ts';
export type { WorkerConfig } from './config.ts';
export { startWorker } from './worker.ts';
export type { Worker, WorkerOptions } from './worker.ts';
export { checkNotificationSettings, notificationSettings } from './notifications/notification-settings.ts';
