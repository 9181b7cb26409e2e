import type { Hall, Seats } from '../seats.ts';
import type { MemoryHub } from './memory-hub.ts';

/** Seats in the memory of one process. Those of a member that stops are freed with it. */
export function createMemorySeats({ seats }: MemoryHub): Seats & { stop(): void } {
  const taken = new Set<() => void>();
  const sitIn = ({ name }: Hall, seat: object): void => {
    seats.set(name, (seats.get(name) ?? new Set()).add(seat));
  };
  const leaveHall = ({ name }: Hall, seat: object): void => {
    const hall = seats.get(name);
    hall?.delete(seat);
    if (hall?.size === 0) seats.delete(name);
  };
  return {
    take: (_group, halls) => {
      const full = halls.find(({ name, max }) => (seats.get(name)?.size ?? 0) >= max);
      if (full) return Promise.resolve({ outcome: 'full', hall: full });
      const seat = {};
      for (const hall of halls) sitIn(hall, seat);
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
