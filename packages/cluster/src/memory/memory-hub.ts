import type { Claim, Instance } from '../cluster.ts';
import type { BusFailure } from '../failures.ts';
import type { KeptReservation } from '../reservations.ts';
import type { Standby } from '../cluster.ts';
import type { Entry, Listeners } from '../streams/stream-store.ts';
import type { StreamId } from '../streams/streams.ts';

/** The state that the instances of one process share instead of a store. */
export interface MemoryHub {
  readonly members: Map<string, Member>;
  readonly owners: Map<string, OwnerRecord>;
  readonly listeners: Map<string, Set<(message: string) => void>>;
  nextEpoch(): number;
  /** Streams, their listeners by boot, and who hears them, each by channel and client. */
  readonly streams: Map<string, StreamRecord>;
  readonly streamListeners: Map<string, Map<string, { count: number; until: number }>>;
  readonly streamHearers: Map<string, Set<(gen: string, entries: Entry[]) => void>>;
  readonly tickets: Map<string, TicketRecord>;
  /** Who waits for each client, by conn. */
  readonly waiting: Map<string, Map<string, Standby>>;
  /** Those of a group by name, and all of them, the oldest first. */
  readonly reservations: {
    groups: Map<string, { names: Map<string, MemoryReservation>; bytes: number }>;
    byAge: Set<MemoryReservation>;
  };
  /** Who sits in each hall. */
  readonly seats: Map<string, Set<string>>;
  /** By boot: tells a member of the listeners of a client that it owns. */
  readonly streamEvents: Map<string, (stream: StreamId, listeners: Listeners) => void>;
}

export interface MemoryReservation extends KeptReservation {
  readonly group: string;
  readonly name: string;
}

export interface TicketRecord {
  readonly note: string;
  turn: number;
  until: number;
  /** Of the last use and of the one before; undefined while it is not used. */
  proof?: string;
  proofBefore?: string;
}

/** A stream with its history. */
export interface StreamRecord {
  readonly gen: string;
  n: number;
  src: string;
  seq: number;
  /** The conn by which the client is online, as listeners were told; empty: offline. */
  online: string;
  bytes: number;
  readonly entries: Entry[];
  readonly hearers: Set<(gen: string, entries: Entry[]) => void>;
}

export interface Member {
  readonly boot: string;
  readonly instanceId: string;
  readonly instance: Instance;
  /** One function per call that this member has not replied to yet. Each fails its call. */
  readonly calls: Set<(failure: BusFailure) => void>;
}

export interface OwnerRecord extends Claim {
  readonly boot: string;
  readonly epoch: number;
  /** Monotonic time in ms until which a released client counts as moving. Undefined while it is owned. */
  movingUntil?: number;
  /** From when a standby may have it, and how its events were left, while it is moving. */
  openFrom?: number;
  left?: 'writing' | { wholeUntil: number };
  /** Digest of the handover that its owner offers. */
  handover?: string;
  /** The conn that this one took over from, so that its client was never offline. */
  previousConn?: string;
  /** That one had gone before this one came. */
  wasAway?: boolean;
  /** The conn before this one, as long as it may still append what it brought. */
  before?: { conn: string; until: number };
}

export function createMemoryHub(): MemoryHub {
  let epoch = 0;
  return {
    members: new Map(),
    owners: new Map(),
    listeners: new Map(),
    nextEpoch: () => ++epoch,
    waiting: new Map(),
    seats: new Map(),
    tickets: new Map(),
    reservations: { groups: new Map(), byAge: new Set() },
    streams: new Map(),
    streamListeners: new Map(),
    streamHearers: new Map(),
    streamEvents: new Map(),
  };
}

/** The record of a client. A moving client whose time has run out is removed first. */
export function ownerOf(hub: MemoryHub, clientId: string): OwnerRecord | undefined {
  const record = hub.owners.get(clientId);
  if (record?.movingUntil === undefined || record.movingUntil > performance.now()) return record;
  hub.owners.delete(clientId);
  return undefined;
}
