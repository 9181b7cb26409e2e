import { randomBytes } from 'node:crypto';
import { foundAt, nameOf, reservationMs } from '../reservations.ts';
import type { KeptReservation, Place, ReservationBounds, Reservations } from '../reservations.ts';
import type { MemoryHub, MemoryReservation } from './memory-hub.ts';

/** Reservations in the memory of one process. */
export function createMemoryReservations(hub: MemoryHub, bounds: ReservationBounds): Reservations {
  const { sizeOf, find, add, change, drop, erase, tick } = createKeeping(hub);

  return {
    reserve: (place, note, runningMs, memory) => {
      const now = tick();
      const token = randomBytes(12).toString('base64url');
      const made = { state: 'running' as const, token, until: now + runningMs };
      const kept = find(place);
      if (kept) {
        const found = foundAt(kept, now);
        if (found.state !== 'unknown' || memory === undefined || found.memory !== memory)
          return Promise.resolve({ outcome: 'known', found });
        change(kept, { ...made, isRepeat: true });
        return Promise.resolve({ outcome: 'reserved', token, at: kept.at, isRepeat: true });
      }
      const { names, bytes } = sizeOf(place);
      if (names >= bounds.names || bounds.bytes - bytes < note.length)
        return Promise.resolve({ outcome: 'full' });
      add(place, { ...made, note, memory, at: now });
      return Promise.resolve({ outcome: 'reserved', token, at: now, isRepeat: false });
    },
    settle: (place, token, { state, note, memory, answer }) => {
      const now = tick();
      const kept = find(place);
      if (kept && kept.token !== token) return Promise.resolve();
      const room = bounds.bytes - sizeOf(place).bytes + (kept ? bytesOf(kept) : 0);
      const hasRoom = room >= bytesOf({ note, answer });
      const end = { state, note, token, memory, answer: hasRoom ? answer : undefined };
      if (kept) change(kept, end);
      else add(place, { ...end, at: now, until: now });
      return Promise.resolve();
    },
    free: (place, token) => {
      tick();
      const kept = find(place);
      if (kept?.token !== token) return Promise.resolve();
      if (kept.isRepeat) change(kept, { state: 'unknown' });
      else drop(kept);
      return Promise.resolve();
    },
    erase: (group, part) => {
      erase(group, part);
      return Promise.resolve();
    },
  };
}

const bytesOf = ({ note, answer = '' }: Pick<KeptReservation, 'note' | 'answer'>): number =>
  note.length + answer.length;

/** What is kept, counted by group, and in the order of its making. */
function createKeeping({ reservations: { groups, byAge } }: MemoryHub) {
  const drop = (kept: MemoryReservation): void => {
    byAge.delete(kept);
    const group = groups.get(kept.group);
    if (!group?.names.delete(kept.name)) return;
    group.bytes -= bytesOf(kept);
    if (group.names.size === 0) groups.delete(kept.group);
  };

  return {
    drop,
    sizeOf: ({ group }: Place) => {
      const { names, bytes = 0 } = groups.get(group) ?? {};
      return { names: names?.size ?? 0, bytes };
    },
    find: (place: Place) => groups.get(place.group)?.names.get(nameOf(place)),
    add(place: Place, made: KeptReservation): void {
      const name = nameOf(place);
      const kept = { ...made, group: place.group, name };
      const group = groups.get(place.group) ?? { names: new Map<string, MemoryReservation>(), bytes: 0 };
      groups.set(place.group, group);
      group.names.set(name, kept);
      group.bytes += bytesOf(kept);
      byAge.add(kept);
    },
    change(kept: MemoryReservation, into: Partial<KeptReservation>): void {
      const before = bytesOf(kept);
      Object.assign(kept, into);
      const group = groups.get(kept.group);
      if (group) group.bytes += bytesOf(kept) - before;
    },
    erase(group: string, part?: string): void {
      for (const kept of groups.get(group)?.names.values() ?? [])
        if (part === undefined || kept.name.split('/').includes(part)) drop(kept);
    },
    /** The time; what has lapsed by then is dropped. */
    tick(): number {
      const now = performance.timeOrigin + performance.now();
      for (const kept of byAge) {
        if (kept.at + reservationMs > now) break;
        drop(kept);
      }
      return now;
    },
  };
}
