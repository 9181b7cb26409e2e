import { randomBytes } from 'node:crypto';
import { startOfSeats } from '../cluster.ts';
import type { Hall, Seats } from '../cluster.ts';
import type { MemoryHub } from './memory-hub.ts';

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
    take: (_group, halls, named) => {
      const start = named && startOfSeats(named);
      const seat = named ? `${start}${named.turn}` : randomBytes(9).toString('base64url');
      const ofName = ({ name }: Hall): string[] =>
        start === undefined ? [] : [...(seats.get(name) ?? [])].filter((one) => one.startsWith(start));
      const isLater = (one: string): boolean => Number(one.slice(start?.length)) > (named?.turn ?? 0);
      if (halls.some((hall) => ofName(hall).some(isLater))) return Promise.resolve({ outcome: 'overtaken' });
      const full = halls.find((hall) => (seats.get(hall.name)?.size ?? 0) - ofName(hall).length >= hall.max);
      if (full) return Promise.resolve({ outcome: 'full', hall: full });
      for (const hall of halls) {
        for (const one of ofName(hall)) leaveHall(hall, one);
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
