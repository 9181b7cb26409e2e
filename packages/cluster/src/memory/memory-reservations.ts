import { randomBytes } from 'node:crypto';
import { foundAt, nameOf, reservationMs } from '../reservations.ts';
import type { KeptReservation, Place, ReservationBounds, Reservations } from '../reservations.ts';
import type { MemoryHub, MemoryReservation } from './memory-hub.ts';

/** Reservations in the memory of one process. */
export function createMemoryReservations(
  { reservations: { groups, byAge } }: MemoryHub,
  bounds: ReservationBounds,
): Reservations {
  const bytesOf = ({ note, answer = '' }: Pick<KeptReservation, 'note' | 'answer'>): number =>
    note.length + answer.length;

  const drop = (kept: MemoryReservation): void => {
    byAge.delete(kept);
    const group = groups.get(kept.group);
    if (group?.names.get(kept.name) !== kept) return;
    group.names.delete(kept.name);
    group.bytes -= bytesOf(kept);
    if (group.names.size === 0) groups.delete(kept.group);
  };

  /** The time; what has lapsed by then is dropped. */
  const tick = (): number => {
    const now = performance.timeOrigin + performance.now();
    for (const kept of byAge) {
      if (kept.at + reservationMs > now) break;
      drop(kept);
    }
    return now;
  };

  const find = (place: Place): MemoryReservation | undefined =>
    groups.get(place.group)?.names.get(nameOf(place));

  const roomIn = ({ group }: Place): number => bounds.bytes - (groups.get(group)?.bytes ?? 0);

  const add = ({ group, ...place }: Place, made: KeptReservation): void => {
    const name = nameOf({ group, ...place });
    const kept = { ...made, group, name };
    const own = groups.get(group) ?? { names: new Map<string, MemoryReservation>(), bytes: 0 };
    groups.set(group, own);
    own.names.set(name, kept);
    own.bytes += bytesOf(kept);
    byAge.add(kept);
  };

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
        Object.assign(kept, made, { isRepeat: true });
        return Promise.resolve({ outcome: 'reserved', token, at: kept.at, isRepeat: true });
      }
      const names = groups.get(place.group)?.names.size ?? 0;
      if (names >= bounds.names || roomIn(place) < note.length) return Promise.resolve({ outcome: 'full' });
      add(place, { ...made, note, memory, at: now });
      return Promise.resolve({ outcome: 'reserved', token, at: now, isRepeat: false });
    },
    settle: (place, token, { state, note, memory, answer }) => {
      const now = tick();
      const kept = find(place);
      if (kept && kept.token !== token) return Promise.resolve();
      const room = roomIn(place) + (kept ? bytesOf(kept) : 0);
      const hasRoom = room >= bytesOf({ note, answer });
      const end = { state, note, token, memory, answer: hasRoom ? answer : undefined };
      if (kept) {
        const group = groups.get(place.group)!;
        group.bytes += bytesOf(end) - bytesOf(kept);
        Object.assign(kept, end);
      } else add(place, { ...end, at: now, until: now });
      return Promise.resolve();
    },
    free: (place, token) => {
      tick();
      const kept = find(place);
      if (kept?.token !== token) return Promise.resolve();
      if (kept.isRepeat) kept.state = 'unknown';
      else drop(kept);
      return Promise.resolve();
    },
    erase: (group, part) => {
      for (const kept of groups.get(group)?.names.values() ?? [])
        if (part === undefined || kept.name.split('/').includes(part)) drop(kept);
      return Promise.resolve();
    },
  };
}
