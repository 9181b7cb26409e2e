import type { Claim, Directory, Presence } from '../cluster.ts';
import type { ClaimAnswer, Incumbent } from '../contend.ts';
import { contend } from '../contend.ts';
import { digestOf, isSameDigest } from '../handover.ts';
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
    claim: (claim, handover = '') => {
      const lateAt = performance.now() + claimMs;
      return contend({
        claim: () => Promise.resolve(take({ hub, boot, handoverMs }, claim, handover)),
        probe: (incumbent) => probe(hub, claim.clientId, incumbent),
        isHeld: () => Promise.resolve(false),
        pause: () => Promise.resolve(),
        hasExpired: () => performance.now() > lateAt,
      });
    },
    offer: (clientId, conn, handover) => {
      const record = ownerOf(hub, clientId);
      if (record?.conn === conn) record.handover = digestOf(handover);
      return Promise.resolve();
    },
    release: (clientId, conn, movingMs) => {
      release(hub, clientId, conn, movingMs);
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

interface Taker {
  hub: MemoryHub;
  boot: string;
  handoverMs: number;
}

function take({ hub, boot, handoverMs }: Taker, claim: Claim, handover: string): ClaimAnswer {
  const incumbent = ownerOf(hub, claim.clientId);
  const isHandedOver =
    incumbent?.handover !== undefined && isSameDigest(incumbent.handover, digestOf(handover));
  const isFree = !incumbent || incumbent.conn === claim.conn || incumbent.movingUntil !== undefined;
  if (!isFree && !isHandedOver) {
    const instanceId = hub.members.get(incumbent.boot)?.instanceId ?? '';
    const { boot: ownerBoot, conn } = incumbent;
    return { answer: 'held', incumbent: { boot: ownerBoot, conn, instanceId, confirmed: '' } };
  }
  const epoch = incumbent?.conn === claim.conn ? incumbent.epoch : hub.nextEpoch();
  const succession = incumbent && successionOf(incumbent, claim.conn, isHandedOver, handoverMs);
  hub.owners.set(claim.clientId, { ...claim, boot, epoch, ...succession });
  if (isHandedOver) hub.members.get(incumbent.boot)?.instance.evict(incumbent.conn, 'handed_over');
  return { answer: 'mine', epoch };
}

/** What a new owner takes over of the one before it. */
function successionOf(
  { conn, previousConn, wasAway, before }: OwnerRecord,
  newConn: string,
  isHandedOver: boolean,
  handoverMs: number,
): Pick<OwnerRecord, 'previousConn' | 'wasAway' | 'before'> {
  if (conn === newConn) {
    return { ...(previousConn && { previousConn }), ...(wasAway && { wasAway }), ...(before && { before }) };
  }
  const until = performance.now() + handoverMs;
  return { previousConn: conn, ...(isHandedOver ? { before: { conn, until } } : { wasAway: true }) };
}

async function probe(hub: MemoryHub, clientId: string, { boot, conn }: Incumbent): Promise<'alive' | 'gone'> {
  const instance = hub.members.get(boot)?.instance;
  if (instance?.isArriving(conn) || (await instance?.probe(conn))) return 'alive';
  instance?.evict(conn, 'silent');
  release(hub, clientId, conn);
  return 'gone';
}

/** Never shortens the time that a moving client was given. */
function release(hub: MemoryHub, clientId: string, conn: string, movingMs = 0): void {
  const record = hub.owners.get(clientId);
  if (record?.conn !== conn) return;
  const until = performance.now() + movingMs;
  if (record.movingUntil !== undefined && record.movingUntil >= until) return;
  if (movingMs > 0) record.movingUntil = until;
  else hub.owners.delete(clientId);
}

function presenceOf({ clientId, accountId, meta, movingUntil }: OwnerRecord): Presence {
  return { clientId, accountId, meta, moving: movingUntil !== undefined };
}
