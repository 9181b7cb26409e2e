import type { Claim, Instance } from '../cluster.ts';
import type { BusFailure } from '../failures.ts';

/** The state that the instances of one process share instead of a store. */
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
  /** One function per call that this member has not answered yet. Each fails its call. */
  readonly asked: Set<(failure: BusFailure) => void>;
}

export interface OwnerRecord extends Claim {
  readonly boot: string;
  readonly epoch: number;
  readonly claimedAt: number;
  /** Monotonic time in ms until which a released client counts as moving. Undefined while it is owned. */
  movingUntil?: number;
  /** Digest of the handover that its owner offers. */
  handover?: string;
}

export function createMemoryHub(): MemoryHub {
  let epoch = 0;
  return { members: new Map(), owners: new Map(), listeners: new Map(), nextEpoch: () => ++epoch };
}

/** The record of a client. A moving client whose time has run out is removed first. */
export function ownerOf(hub: MemoryHub, clientId: string): OwnerRecord | undefined {
  const record = hub.owners.get(clientId);
  if (record?.movingUntil === undefined || record.movingUntil > performance.now()) return record;
  hub.owners.delete(clientId);
  return undefined;
}
