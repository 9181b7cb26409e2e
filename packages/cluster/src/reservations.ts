/**
 * What was reserved before something is done that may be done once, and what became of it. The cluster reads neither notes nor
 * answers. Every method rejects with `ClusterUnavailable`.
 */
export interface Reservations {
  /**
   * Reserves a name in a group with a note. Of all who ask for a name on whatever instance one gets it; the others get what is
   * known of it. `full`: the group has as many names, or as many bytes, as it may.
   *
   * `memory` names who remembers what was done under the name. Where a reservation became `unknown` and was made with that same text, one
   * of all who ask gets it once more, to ask that memory: `isRepeat`.
   */
  reserve(place: Place, note: string, runningMs: number, memory?: string): Promise<Reserving>;
  /**
   * Keeps what became of a reservation, also where the store lost it meanwhile. Has no effect on the reservation of another. An
   * answer for which the group has no room is left out.
   */
  settle(place: Place, token: string, end: ReservationEnd): Promise<void>;
  /** Frees the name: nothing was done. One that was got once more is `unknown` as before. Has no effect on the reservation of another. */
  free(place: Place, token: string): Promise<void>;
  /** Forgets the names of a group that have this part; without one, all of them. */
  erase(group: string, part?: string): Promise<void>;
}

/** `parts`: by which names are erased. They have no `/`, and neither has the last one, which tells names apart. */
export interface Place {
  group: string;
  parts: readonly [...string[], string];
}

export interface ReservationEnd {
  /** `done`: its answer is known. `unknown`: it may have been done. */
  state: 'done' | 'unknown';
  /** The note from now on. */
  note: string;
  memory?: string | undefined;
  answer?: string | undefined;
}

/** A reservation as others find it. One that runs for longer than it may is `unknown`: whoever made it is gone. */
export interface Reservation {
  state: 'running' | 'done' | 'unknown';
  note: string;
  /** How long ago it was made. */
  ageMs: number;
  memory?: string | undefined;
  answer?: string | undefined;
}

export type Reserving = Reserved | { outcome: 'known'; found: Reservation } | { outcome: 'full' };

export interface Reserved {
  outcome: 'reserved';
  token: string;
  /** When it was made for the first time, in ms of the store's clock: one reservation has one such time. */
  at: number;
  isRepeat: boolean;
}

/** How long a reservation is kept from the moment that it was made. */
export const reservationMs = 3_600_000;

export interface ReservationBounds {
  /** Most names of one group. */
  names: number;
  /** Most bytes of the notes and answers of one group. */
  bytes: number;
}

export const defaultReservationBounds: ReservationBounds = { names: 10_000, bytes: 16 * 1024 * 1024 };

export const nameOf = ({ parts }: Place): string => parts.join('/');

/** A reservation as a store keeps it, in one text. `running` until then, in ms of the store's clock. */
export interface KeptReservation extends Omit<Reservation, 'ageMs'> {
  token: string;
  at: number;
  until: number;
  isRepeat?: boolean | undefined;
}

/** A kept reservation as it is found at `now`. */
export function foundAt(
  { state, note, memory, answer, at, until }: KeptReservation,
  now: number,
): Reservation {
  const isOver = state === 'running' && now >= until;
  return { state: isOver ? 'unknown' : state, note, ageMs: now - at, memory, answer };
}
