/** Seats in halls: things of which only so many may be open at the same time, over all instances. */
export interface Seats {
  /**
   * Takes a seat in each of these halls, or in none where one is full. Halls of one `group` are kept together. Rejects with
   * `ClusterUnavailable`. The seats of an instance that dies are free again within a minute. `named` lets a later seat take
   * the place of this one.
   */
  take(group: string, halls: readonly Hall[], named?: NamedSeat): Promise<SeatOutcome>;
}

export interface NamedSeat {
  name: string;
  /**
   * Of the seats of one name the one with the highest turn alone is taken, on whatever instance they are. Who lost his place
   * this way need not know: leaving it again frees nothing.
   */
  turn: number;
}

export interface Hall {
  name: string;
  max: number;
}

/** `full` tells the hall that had no seat. `overtaken`: a later turn of the same name has it. */
export type SeatOutcome =
  { outcome: 'taken'; leave: () => void } | { outcome: 'full'; hall: Hall } | { outcome: 'overtaken' };

/** How the seats of one name begin; their turn follows. */
export const startOfSeats = ({ name }: NamedSeat): string => `${name}:`;
