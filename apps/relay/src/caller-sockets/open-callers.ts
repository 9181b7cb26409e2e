import type { Logger } from 'pino';
import type { CredentialFeed } from '../credentials/changes/credential-feed.ts';
import { isOver } from '../keys/authenticate.ts';
import type { KeysByHash } from '../keys/authenticate.ts';
import { createKeyLooks } from '../keys/look-at-keys.ts';
import { addTo, removeFrom } from '../streams/open-listeners.ts';
import type { CallerSocket } from './caller-socket.ts';
import { closeFor } from './close-for.ts';

export interface OpenCallersDeps {
  feed: Pick<CredentialFeed, 'subscribe'>;
  keys: Pick<KeysByHash, 'find'>;
  log: Logger;
  settings: { heartbeatMs: number };
  now?: () => number;
}

/** The callers' sockets of this instance whose key was accepted. */
export interface OpenCallers {
  readonly size: number;
  add(socket: CallerSocket): void;
  remove(socket: CallerSocket): void;
  all(): Iterable<CallerSocket>;
  /** Pings the quiet, cuts off those who do not read, and ends sockets whose key has ended. Returns what ends that. */
  start(): () => void;
}

/** The heartbeat is counted in so many rounds, so that not all sockets are pinged in one turn. */
const roundsPerPing = 4;
const expiryMs = 250;

export function createOpenCallers(deps: OpenCallersDeps): OpenCallers {
  const { feed, keys, log, settings, now = Date.now } = deps;
  const open = new Set<CallerSocket>();
  const ofAccounts = new Map<string, Set<CallerSocket>>();

  // While a key cannot be read each message is refused.
  const looks = createKeyLooks<CallerSocket>({
    keys,
    log,
    what: 'socket',
    found: (principal, sockets) => {
      for (const socket of sockets) if (socket.admitted) socket.admitted = { ...socket.admitted, principal };
    },
    refused: (error, sockets) => {
      for (const socket of sockets) closeFor(socket, error);
    },
  });

  function beat(): void {
    const at = performance.now();
    for (const socket of open) {
      if (socket.isStuck(at)) {
        socket.terminate();
        continue;
      }
      // What it sends is not read meanwhile.
      if (socket.ws.isPaused) continue;
      const rounds = ++socket.quietRounds;
      if (rounds === roundsPerPing || rounds === 2 * roundsPerPing) socket.ws.ping();
      else if (rounds >= 3 * roundsPerPing) socket.terminate();
    }
  }

  return {
    get size() {
      return open.size;
    },
    add(socket) {
      open.add(socket);
      if (socket.admitted) addTo(ofAccounts, socket.admitted.principal.accountId, socket);
    },
    remove(socket) {
      open.delete(socket);
      if (socket.admitted) removeFrom(ofAccounts, socket.admitted.principal.accountId, socket);
    },
    all: () => open,
    start() {
      const stopHearing = feed.subscribe('key', ({ accountId, subject, subjectId }) => {
        if (subject === 'client') return;
        const sockets = [...(ofAccounts.get(accountId) ?? [])].filter(
          ({ admitted }) => subject !== 'key' || admitted?.principal.keyId === subjectId,
        );
        const byKey = Map.groupBy(sockets, ({ admitted }) => admitted?.keyHash ?? '');
        for (const [keyHash, ofKey] of byKey) void looks.look(keyHash, ofKey);
      });
      const expiry = setInterval(() => {
        for (const socket of open)
          if (socket.admitted && isOver(socket.admitted.principal, now())) socket.close('keyRefused');
      }, expiryMs);
      const heartbeat = setInterval(beat, settings.heartbeatMs / roundsPerPing);
      return () => {
        stopHearing();
        clearInterval(expiry);
        clearInterval(heartbeat);
        looks.stop();
      };
    },
  };
}
