import type { ReserveRequest } from '../ledger/ledger.ts';
import type { LedgerLink } from '../ledger/ledger-link.ts';
import type { Quota } from './quota.ts';
import { applyGrant, learnTotal, takeOutageShare } from './quota.ts';

export interface LimiterOptions {
  name: string;
  /** 0 for a persistent quota, which needs `readTotal`. */
  windowMs: number;
  readTotal?: (key: string) => Promise<number>;
}

/**
 * Reports to the ledger what this instance holds of a quota and fills the reserve with what it grants. `wanted`
 * defaults to what the next second may need. Takes the outage share while the ledger is down. Never rejects.
 */
export type Refill = (quota: Quota, wanted?: number) => Promise<void>;

export function createRefill(link: LedgerLink, { name, windowMs, readTotal }: LimiterOptions): Refill {
  const { ledger, now } = link;

  async function refill(quota: Quota, wanted: number): Promise<void> {
    if (!link.isDown) {
      try {
        if (await reserve(quota, wanted)) return;
      } catch (cause) {
        link.onFailure(cause);
      }
    }
    if (readTotal && quota.total === undefined) await readSettled(quota);
    takeOutageShare(quota, link.instances, now());
  }

  /** False when neither the ledger nor `readTotal` knows the total of a persistent quota. */
  async function reserve(quota: Quota, wanted: number): Promise<boolean> {
    const request: ReserveRequest = {
      quota: `${name}:${quota.key}`,
      limit: quota.limit,
      window: quota.window,
      windowMs: windowMs > 0 ? Math.max(1, quota.until - now()) : 0,
      held: quota.spent + quota.reserve,
      reserve: quota.reserve,
      needed: quota.waiting,
      wanted,
      ...(quota.total === undefined ? {} : { total: quota.total }),
    };
    const sentAt = now();
    const grant = await ledger.reserve(request);
    if (!grant) return (await readSettled(quota)) && (await reserve(quota, wanted));
    applyGrant(quota, request, grant, { sentAt, answeredAt: now() });
    return true;
  }

  async function readSettled(quota: Quota): Promise<boolean> {
    const total = await readTotal?.(quota.key).catch(() => undefined);
    if (total === undefined) return false;
    learnTotal(quota, total);
    const unspent = quota.limit - (quota.total ?? 0) - quota.spent - quota.reserve;
    quota.remaining = Math.min(quota.remaining, unspent);
    return true;
  }

  return (quota, wanted = Math.max(1, quota.currentSecond + quota.previousSecond)) => {
    const request = refill(quota, wanted).finally(() => (quota.request = undefined));
    quota.request = request;
    return request;
  };
}
