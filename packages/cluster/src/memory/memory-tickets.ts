import type { Tickets } from '../cluster.ts';
import { ticketAwayMs } from '../cluster.ts';
import type { MemoryHub, TicketRecord } from './memory-hub.ts';

/** Tickets in the memory of one process. */
export function createMemoryTickets({ tickets }: MemoryHub): Tickets {
  const find = (id: string): TicketRecord | undefined => {
    const ticket = tickets.get(id);
    if (!ticket || ticket.until > performance.now()) return ticket;
    tickets.delete(id);
    return undefined;
  };
  return {
    issue: (id, note, unusedMs) => {
      for (const known of tickets.keys()) find(known);
      tickets.set(id, { note, turn: 0, until: performance.now() + unusedMs });
      return Promise.resolve();
    },
    use: (id, { shown, next }) => {
      const ticket = find(id);
      if (!ticket) return Promise.resolve(undefined);
      const { note, proof, proofBefore } = ticket;
      if (proof !== undefined && shown !== proof && shown !== proofBefore) return Promise.resolve(undefined);
      if (proof !== undefined) ticket.proofBefore = shown;
      ticket.proof = next;
      ticket.until = performance.now() + ticketAwayMs;
      ticket.turn++;
      return Promise.resolve({ note, turn: ticket.turn });
    },
    keep: (ids) => {
      const turns = new Map<string, number>();
      for (const id of ids) {
        const ticket = find(id);
        if (!ticket) continue;
        ticket.until = performance.now() + ticketAwayMs;
        turns.set(id, ticket.turn);
      }
      return Promise.resolve(turns);
    },
  };
}
