export type { JobsConnection } from './backend.ts';
export { jobs, notificationJobs } from './catalogue.ts';
export type { JobCatalogue, JobDefinition, JobName, JobPayload } from './catalogue.ts';
export { createJobQueue } from './job-queue.ts';
export type { AddOptions, JobQueue, JobQueueOptions } from './job-queue.ts';
export { migrateJobs } from './migrate.ts';
export { startJobWorker } from './job-worker.ts';
export type { JobHandlers, JobRun, JobWorker, JobWorkerOptions } from './job-worker.ts';
