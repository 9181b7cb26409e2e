/** The Redis commands that the script models use. */
export interface SimStore {
  nowMs(): number;
  get(key: string): string | undefined;
  set(key: string, text: string, ms: number): void;
  hash(key: string): Map<string, string> | undefined;
  setHash(key: string, fields: Record<string, string>): void;
  delField(key: string, field: string): void;
  expire(key: string, ms: number): void;
  ttlMs(key: string): number;
  del(key: string): number;
  /** Answers the number of receivers. */
  publish(channel: string, message: Buffer): number;
  listeners(channel: string): number;
}
