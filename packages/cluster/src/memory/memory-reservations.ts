import { randomBytes } from 'node:crypto';
import { foundAt, nameOf, reservationMs } from '../reservations.ts';
import type { KeptReservation, ReservationBounds, Reservations } from '../reservations.ts';
import type { MemoryHub } from './memory-hub.ts';

/** Reservations in the memory of one process. */
export function createMemoryReservations(
  { reservations: groups }: MemoryHub,
  bounds: ReservationBounds,
): Reservations {
  const bytesOf = ({ note, answer = '' }: KeptReservation): number => note.length + answer.length;
  const ofGroup = (group: string): Map<string, KeptReservation> => {
    const names = groups.get(group) ?? new Map<string, KeptReservation>();
    const now = performance.now();
    // They were made in this order.
    for (const [name, { at }] of names) {
      if (at + reservationMs > now) break;
      names.delete(name);
    }
    return names;
  };
  const roomIn = (names: ReadonlyMap<string, KeptReservation>): number => {
    let left = bounds.bytes;
    for (const kept of names.values()) left -= bytesOf(kept);
    return left;
  };
  const forgetEmpty = (): void => {
    for (const group of groups.keys()) if (ofGroup(group).size === 0) groups.delete(group);
  };

  return {
    reserve: (place, note, runningMs) => {
      forgetEmpty();
      const name = nameOf(place);
      const names = ofGroup(place.group);
      const at = performance.now();
      const kept = names.get(name);
      if (kept) return Promise.resolve({ outcome: 'known', found: foundAt(kept, at) });
      if (names.size >= bounds.names || roomIn(names) < note.length)
        return Promise.resolve({ outcome: 'full' });
      const token = randomBytes(12).toString('base64url');
      groups.set(place.group, names.set(name, { state: 'running', note, token, at, until: at + runningMs }));
      return Promise.resolve({ outcome: 'reserved', token });
    },
    settle: (place, token, { state, note, answer }) => {
      const names = ofGroup(place.group);
      const kept = names.get(nameOf(place));
      if (kept && kept.token !== token) return Promise.resolve();
      const at = kept?.at ?? performance.now();
      const hasRoom = roomIn(names) + (kept ? bytesOf(kept) : 0) >= note.length + (answer ?? '').length;
      names.set(nameOf(place), { state, note, token, at, until: at, ...(hasRoom ? { answer } : {}) });
      groups.set(place.group, names);
      return Promise.resolve();
    },
    free: (place, token) => {
      const names = ofGroup(place.group);
      if (names.get(nameOf(place))?.token === token) names.delete(nameOf(place));
      return Promise.resolve();
    },
    erase: (group, part) => {
      const names = ofGroup(group);
      for (const name of names.keys())
        if (part === undefined || name.split('/').includes(part)) names.delete(name);
      return Promise.resolve();
    },
  };
}
