import type { Claim, ClaimOutcome, Directory, Presence } from '../cluster.ts';
import type { ClaimAnswer, Incumbent } from '../contend.ts';
import { contend } from '../contend.ts';
import { digestOf, isSameDigest } from '../handover.ts';
import { expected, wholeMs } from '../standbys.ts';
import type { Going } from '../standbys.ts';
import type { MemoryHub, OwnerRecord } from './memory-hub.ts';
import { ownerOf } from './memory-hub.ts';

const claimMs = 7_000;

/** Claims in the memory of one process. No claim lapses, because a member that stops releases its claims. */
export function createMemoryDirectory(hub: MemoryHub, boot: string, handoverMs: number): Directory {
  const owned = (clientId: string): OwnerRecord | undefined => {
    const record = ownerOf(hub, clientId);
    return record?.boot === boot && record.movingUntil === undefined ? record : undefined;
  };

  return {
    claim: (claim, handover) => claimClient({ hub, boot, handoverMs }, claim, { handover }),
    offer: (clientId, conn, handover) => {
      const record = ownerOf(hub, clientId);
      if (record?.conn === conn) record.handover = digestOf(handover);
      return Promise.resolve();
    },
    release: (clientId, conn, movingMs = 0) => {
      release(hub, clientId, conn, expected(movingMs));
      return Promise.resolve();
    },
    authority: (clientId) => (owned(clientId) ? 'owner' : 'frozen'),
    owns: (clientId, conn) => owned(clientId)?.conn === conn,
    find: (clientIds) => {
      const found = clientIds.flatMap((clientId) => ownerOf(hub, clientId) ?? []);
      return Promise.resolve(new Map(found.map((record) => [record.clientId, presenceOf(record)])));
    },
  };
}

interface How {
  handover?: string | undefined;
  isStandby?: boolean;
}

export function claimClient(taker: Taker, claim: Claim, how: How = {}): Promise<ClaimOutcome> {
  const lateAt = performance.now() + claimMs;
  return contend({
    claim: () => Promise.resolve(take(taker, claim, how)),
    probe: (incumbent) => probe(taker.hub, claim.clientId, incumbent),
    isHeld: () => Promise.resolve(false),
    pause: () => Promise.resolve(),
    hasExpired: () => performance.now() > lateAt,
    isPatient: how.isStandby === true,
  });
}

/** Whether nobody has the client, or it is left to its standbys. */
export function isVacant(hub: MemoryHub, clientId: string): boolean {
  const record = ownerOf(hub, clientId);
  return !record || (record.movingUntil !== undefined && performance.now() >= (record.openFrom ?? Infinity));
}

export interface Taker {
  hub: MemoryHub;
  boot: string;
  handoverMs: number;
}

function take(
  { hub, boot, handoverMs }: Taker,
  claim: Claim,
  { handover = '', isStandby = false }: How,
): ClaimAnswer {
  const incumbent = ownerOf(hub, claim.clientId);
  const isHandedOver =
    incumbent?.handover !== undefined && isSameDigest(incumbent.handover, digestOf(handover));
  const isFree =
    incumbent?.conn === claim.conn ||
    (isStandby ? isVacant(hub, claim.clientId) : !incumbent || incumbent.movingUntil !== undefined);
  if (incumbent && !isFree && !isHandedOver) {
    const instanceId = hub.members.get(incumbent.boot)?.instanceId ?? '';
    const { boot: ownerBoot, conn } = incumbent;
    return { answer: 'held', incumbent: { boot: ownerBoot, conn, instanceId, confirmed: '' } };
  }
  const epoch = incumbent?.conn === claim.conn ? incumbent.epoch : hub.nextEpoch();
  const succession = incumbent && successionOf(incumbent, claim.conn, isHandedOver, handoverMs);
  hub.owners.set(claim.clientId, { ...claim, boot, epoch, ...succession });
  if (incumbent && isHandedOver)
    hub.members.get(incumbent.boot)?.instance.evict(incumbent.conn, 'handed_over');
  return { answer: 'mine', epoch };
}

/** What a new owner takes over of the one before it. */
function successionOf(
  { conn, previousConn, wasAway, before, left }: OwnerRecord,
  newConn: string,
  isHandedOver: boolean,
  handoverMs: number,
): Pick<OwnerRecord, 'previousConn' | 'wasAway' | 'before'> {
  if (conn === newConn) {
    return { ...(previousConn && { previousConn }), ...(wasAway && { wasAway }), ...(before && { before }) };
  }
  const now = performance.now();
  if (isHandedOver || left === 'writing')
    return { previousConn: conn, before: { conn, until: now + handoverMs } };
  const isWhole = left !== undefined && now < left.wholeUntil;
  return { previousConn: conn, ...(!isWhole && { wasAway: true }) };
}

/** A conn that does not answer a ping is evicted. */
export async function probe(
  hub: MemoryHub,
  clientId: string,
  { boot, conn }: Pick<Incumbent, 'boot' | 'conn'>,
): Promise<'alive' | 'gone'> {
  const instance = hub.members.get(boot)?.instance;
  if (instance?.isArriving(conn) || (await instance?.probe(conn))) return 'alive';
  instance?.evict(conn, 'silent');
  release(hub, clientId, conn, expected(0));
  return 'gone';
}

/** Never shortens the time that a moving client was given. */
export function release(
  hub: MemoryHub,
  clientId: string,
  conn: string,
  { movingMs, standbyMs, left }: Going,
): void {
  const record = hub.owners.get(clientId);
  if (record?.conn !== conn) return;
  const now = performance.now();
  const until = now + movingMs;
  if (record.movingUntil !== undefined && record.movingUntil >= until) return;
  if (movingMs > 0) {
    record.movingUntil = until;
    record.openFrom = now + standbyMs;
    if (left === 'whole') record.left = { wholeUntil: now + wholeMs };
    else if (left === 'writing') record.left = 'writing';
  } else hub.owners.delete(clientId);
  if (standbyMs === 0) tellStandbys(hub, clientId);
}

/** Later, as over a store: whoever releases is not interrupted by what its standbys do. */
export function tellStandbys(hub: MemoryHub, clientId: string): void {
  for (const { boot, conn } of hub.waiting.get(clientId)?.values() ?? [])
    queueMicrotask(() => hub.members.get(boot)?.instance.promote(conn));
}

function presenceOf({ clientId, accountId, meta, movingUntil }: OwnerRecord): Presence {
  return { clientId, accountId, meta, moving: movingUntil !== undefined };
}
