import type { Principal } from '../keys/authenticate.ts';
import type { Listener } from './listener.ts';
import { keepAliveMs } from './sse-writer.ts';
import type { StreamTickets, TicketUse } from './stream-tickets.ts';

/** The streams that callers hold open on this instance. */
export interface OpenListeners {
  add(open: OpenListener): () => void;
  byAccount(accountId: string): Iterable<OpenListener>;
  all(): Iterable<OpenListener>;
  /** Keeps streams and their tickets alive, and ends those whose ticket is used elsewhere. Returns what ends that. */
  start(): () => void;
}

export interface OpenListener {
  listener: Listener;
  /** As it was when it was looked at last. */
  principal: Principal;
  clientId: string;
  ticket: Pick<TicketUse, 'id' | 'turn'> | undefined;
}

/** The streams are kept alive in so many parts, one after the other. */
const parts = 15;

export function createOpenListeners(tickets: StreamTickets): OpenListeners {
  const open = new Map<OpenListener, number>();
  const ofAccounts = new Map<string, Set<OpenListener>>();
  const ofTickets = new Map<string, Set<OpenListener>>();
  let added = 0;

  const keepAlive = (round: number): void => {
    const used: string[] = [];
    for (const [{ listener, ticket }, part] of open) {
      if (part !== round) continue;
      listener.keepAlive();
      if (ticket) used.push(ticket.id);
    }
    tickets.keep(used);
  };

  return {
    add(one) {
      const { principal, ticket } = one;
      open.set(one, added++ % parts);
      addTo(ofAccounts, principal.accountId, one);
      if (ticket) addTo(ofTickets, ticket.id, one);
      return () => {
        open.delete(one);
        removeFrom(ofAccounts, principal.accountId, one);
        if (!ticket) return;
        removeFrom(ofTickets, ticket.id, one);
        tickets.keep([ticket.id]);
      };
    },
    byAccount: (accountId) => ofAccounts.get(accountId) ?? [],
    all: () => open.keys(),
    start() {
      let round = 0;
      const timer = setInterval(() => {
        round = (round + 1) % parts;
        keepAlive(round);
      }, keepAliveMs / parts);
      const stopHearing = tickets.onTakeOver(({ id, turn }) => {
        for (const { listener, ticket } of ofTickets.get(id) ?? []) {
          if (ticket && ticket.turn < turn) listener.cut();
        }
      });
      return () => {
        clearInterval(timer);
        stopHearing();
      };
    },
  };
}

export function addTo<T>(groups: Map<string, Set<T>>, name: string, one: T): void {
  groups.set(name, (groups.get(name) ?? new Set()).add(one));
}

export function removeFrom<T>(groups: Map<string, Set<T>>, name: string, one: T): void {
  const group = groups.get(name);
  group?.delete(one);
  if (group?.size === 0) groups.delete(name);
}
