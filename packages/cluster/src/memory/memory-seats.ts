import { randomBytes } from 'node:crypto';
import type { Hall, NamedSeat, Seats } from '../seats.ts';
import type { MemoryHub } from './memory-hub.ts';

const unnamed = (): NamedSeat => ({ name: randomBytes(9).toString('base64url'), inPlaceOf: [] });

/** Seats in the memory of one process. Those of a member that stops are freed with it. */
export function createMemorySeats({ seats }: MemoryHub): Seats & { stop(): void } {
  const taken = new Set<() => void>();
  const sitIn = ({ name }: Hall, seat: string): void => {
    seats.set(name, (seats.get(name) ?? new Set()).add(seat));
  };
  const leaveHall = ({ name }: Hall, seat: string): void => {
    const hall = seats.get(name);
    hall?.delete(seat);
    if (hall?.size === 0) seats.delete(name);
  };
  return {
    take: (_group, halls, { name: seat, inPlaceOf } = unnamed()) => {
      const before = new Set(inPlaceOf);
      const full = halls.find(({ name, max }) => {
        const others = [...(seats.get(name) ?? [])].filter((one) => !before.has(one));
        return others.length >= max;
      });
      if (full) return Promise.resolve({ outcome: 'full', hall: full });
      for (const hall of halls) {
        for (const one of before) leaveHall(hall, one);
        sitIn(hall, seat);
      }
      const leave = (): void => {
        taken.delete(leave);
        for (const hall of halls) leaveHall(hall, seat);
      };
      taken.add(leave);
      return Promise.resolve({ outcome: 'taken', leave });
    },
    stop: () => {
      for (const leave of taken) leave();
    },
  };
}
