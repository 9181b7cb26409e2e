import type { Listener } from './listener.ts';
import type { Principal } from '../keys/authenticate.ts';

/** The streams that callers hold open on this instance. */
export interface OpenListeners {
  readonly size: number;
  add(open: OpenListener): () => void;
  byAccount(accountId: string): Iterable<OpenListener>;
  all(): Iterable<OpenListener>;
  /** Starts to keep the streams alive. Returns a function that ends it. */
  start(): () => void;
}

export interface OpenListener {
  listener: Listener;
  principal: Principal;
  clientId: string;
}

const keepAliveMs = 15_000;
/** The streams are kept alive in so many parts, one after the other. */
const parts = 15;

export function createOpenListeners(): OpenListeners {
  const open = new Map<OpenListener, number>();
  const ofAccounts = new Map<string, Set<OpenListener>>();
  let added = 0;
  return {
    get size() {
      return open.size;
    },
    add(one) {
      const { accountId } = one.principal;
      open.set(one, added++ % parts);
      ofAccounts.set(accountId, (ofAccounts.get(accountId) ?? new Set()).add(one));
      return () => {
        open.delete(one);
        const ofAccount = ofAccounts.get(accountId);
        ofAccount?.delete(one);
        if (ofAccount?.size === 0) ofAccounts.delete(accountId);
      };
    },
    byAccount: (accountId) => ofAccounts.get(accountId) ?? [],
    all: () => open.keys(),
    start() {
      let round = 0;
      const timer = setInterval(() => {
        round = (round + 1) % parts;
        for (const [{ listener }, part] of open) if (part === round) listener.keepAlive();
      }, keepAliveMs / parts);
      return () => clearInterval(timer);
    },
  };
}
