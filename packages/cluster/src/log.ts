/** The part of a pino logger that the cluster uses. */
export interface ClusterLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export const silentLog: ClusterLog = { info: () => {}, warn: () => {}, error: () => {} };
