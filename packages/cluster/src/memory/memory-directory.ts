import type { Claim, Directory } from '../cluster.ts';
import type { ClaimAnswer, Incumbent } from '../contend.ts';
import { contend } from '../contend.ts';
import type { MemoryHub } from './memory-hub.ts';
import { ownerOf } from './memory-hub.ts';
import { isRegistering } from '../registering.ts';

/** Claims in this process's memory: nothing lapses, because a member that stops takes its claims along. */
export function createMemoryDirectory(hub: MemoryHub, boot: string): Directory {
  const release = (clientId: string, conn: string, movingMs = 0): void => {
    const record = hub.owners.get(clientId);
    if (record?.conn !== conn) return;
    const until = performance.now() + movingMs;
    if (record.movingUntil !== undefined && record.movingUntil >= until) return;
    if (movingMs > 0) record.movingUntil = until;
    else hub.owners.delete(clientId);
  };

  const take = (claim: Claim): ClaimAnswer => {
    const incumbent = ownerOf(hub, claim.clientId);
    if (incumbent && incumbent.conn !== claim.conn && incumbent.movingUntil === undefined) {
      const instanceId = hub.members.get(incumbent.boot)?.instanceId ?? '';
      return { answer: 'held', incumbent: { boot: incumbent.boot, conn: incumbent.conn, instanceId } };
    }
    const epoch = incumbent?.conn === claim.conn ? incumbent.epoch : hub.nextEpoch();
    hub.owners.set(claim.clientId, { ...claim, boot, epoch, claimedAt: performance.now() });
    return { answer: 'mine', epoch };
  };

  const probe = async (clientId: string, { boot, conn }: Incumbent): Promise<'alive' | 'gone'> => {
    const instance = hub.members.get(boot)?.instance;
    if (await instance?.probe(conn)) return 'alive';
    const record = hub.owners.get(clientId);
    if (instance && record?.conn === conn && isRegistering(instance, conn, record.claimedAt)) return 'alive';
    instance?.evict(conn, 'silent');
    release(clientId, conn);
    return 'gone';
  };

  return {
    claim: (claim) => {
      const lateAt = performance.now() + 7_000;
      return contend({
        claim: () => Promise.resolve(take(claim)),
        probe: (incumbent) => probe(claim.clientId, incumbent),
        isHeld: () => Promise.resolve(false),
        pause: () => Promise.resolve(),
        hasExpired: () => performance.now() > lateAt,
      });
    },
    release: (clientId, conn, movingMs) => {
      release(clientId, conn, movingMs);
      return Promise.resolve();
    },
    authority: (clientId) => {
      const record = ownerOf(hub, clientId);
      return record?.boot === boot && record.movingUntil === undefined ? 'owner' : 'frozen';
    },
    find: (clientIds) => {
      const found = clientIds.flatMap((clientId) => ownerOf(hub, clientId) ?? []);
      return Promise.resolve(
        new Map(
          found.map(({ clientId, accountId, meta, movingUntil }) => [
            clientId,
            { clientId, accountId, meta, moving: movingUntil !== undefined },
          ]),
        ),
      );
    },
  };
}
