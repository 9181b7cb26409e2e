import type { Ledger } from './ledger.ts';

/** The part of a pino logger that this package writes to. */
export interface LimitsLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** The ledger as this instance last saw it. */
export interface LedgerLink {
  readonly ledger: Ledger;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Number of instances that share the quotas, as of the last heartbeat. */
  instances: number;
  isDown: boolean;
  /** To be called when a request failed. All limiters spend outage shares until a heartbeat is answered. */
  onFailure(cause: unknown): void;
  /** Registers this instance. Does nothing while the previous heartbeat is in flight. Never rejects. */
  heartbeat(): Promise<void>;
}

export interface LedgerLinkOptions {
  ledger: Ledger;
  log: LimitsLog | undefined;
  now: () => number;
  /** Called when the ledger answers for the first time or again. */
  onRecovery: () => void;
}

export function createLedgerLink({ ledger, log, now, onRecovery }: LedgerLinkOptions): LedgerLink {
  let isBeating = false;

  const link: LedgerLink = {
    ledger,
    now,
    instances: 1,
    isDown: true,
    onFailure(cause) {
      if (!link.isDown)
        log?.warn({ err: cause }, 'limits use shares per instance: their Redis does not answer');
      link.isDown = true;
    },
    async heartbeat() {
      if (isBeating) return;
      isBeating = true;
      try {
        const instances = Math.max(1, await ledger.heartbeat());
        if (link.isDown || instances !== link.instances) {
          log?.info({ instances }, 'limits are counted over all instances');
        }
        link.instances = instances;
        if (!link.isDown) return;
        link.isDown = false;
        onRecovery();
      } catch (cause) {
        link.onFailure(cause);
      } finally {
        isBeating = false;
      }
    },
  };
  return link;
}
