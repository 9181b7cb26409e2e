import type { BusFailure } from '../failures.ts';
import type { Claim, Instance } from '../cluster.ts';

/** What the instances of one process share in place of a store. */
export interface MemoryHub {
  readonly members: Map<string, Member>;
  readonly owners: Map<string, OwnerRecord>;
  readonly listeners: Map<string, Set<(message: string) => void>>;
  nextEpoch(): number;
}

export interface Member {
  readonly boot: string;
  readonly instanceId: string;
  readonly instance: Instance;
  /** Fails the calls that this member was asked and has not answered. */
  readonly asked: Set<(failure: BusFailure) => void>;
}

export interface OwnerRecord extends Claim {
  readonly boot: string;
  readonly epoch: number;
  readonly claimedAt: number;
  /** When a released client stops counting as moving, on the monotonic clock; undefined: owned. */
  movingUntil?: number;
}

export function createMemoryHub(): MemoryHub {
  let epoch = 0;
  return { members: new Map(), owners: new Map(), listeners: new Map(), nextEpoch: () => ++epoch };
}

/** The record of a client, unless it was moving and its time to come back is over. */
export function ownerOf(hub: MemoryHub, clientId: string): OwnerRecord | undefined {
  const record = hub.owners.get(clientId);
  if (record?.movingUntil === undefined || record.movingUntil > performance.now()) return record;
  hub.owners.delete(clientId);
  return undefined;
}
