import { createModule, memoryStorage } from '@tabletop-relay/module-sdk';
import type { Pairing } from './account.ts';

/** A world on our SDK that sends numbered events for as long as somebody listens. */
export interface NumberedWorld {
  readonly clientId: string;
  connected: Promise<void>;
  /** The number of the last event that went out. */
  sent(): number;
  isConnected(): boolean;
  isWanted(): boolean;
  /** Sends so many events a second from now on, spread evenly. 0 pauses. */
  setRate(eventsPerSecond: number): void;
  /** Sends so many events, as many at once as the connection takes. Resolves when the last is out. */
  send(count: number): Promise<void>;
  close(): void;
}

export interface NumberedWorldOptions {
  /** Answers where to connect next, as a balancer would. */
  nextUrl: () => string;
  pairing: Pick<Pairing, 'clientId' | 'token'>;
  /** Length of a text in each event. */
  bytes?: number;
}

const tickMs = 5;
/** What an event waits for the connection to take it. */
const patienceMs = 20_000;

export function startNumberedWorld({ nextUrl, pairing, bytes = 40 }: NumberedWorldOptions): NumberedWorld {
  const { clientId, token } = pairing;
  const text = 'x'.repeat(bytes);
  let sent = 0;
  let rate = 0;
  let due = 0;
  const module = createModule({
    world: {
      worldId: `world-${clientId}`,
      worldTitle: 'A world of numbers',
      tabletopVersion: '13',
      systemId: 'dnd5e',
      systemTitle: 'Fifth Edition',
      systemVersion: '5',
    },
    storage: memoryStorage({ clientId, pairedRelayUrl: nextUrl(), connectionToken: token }),
    handlers: {},
    WebSocket: webSocketTo(nextUrl),
    random: () => 0.1,
  });
  const sendOne = (): boolean => {
    const isOut = module.emit('hooks', () => ({ hook: 'updateActor', args: [sent + 1, text] }));
    if (isOut) sent++;
    return isOut;
  };
  let tickedAt = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    due = Math.min(due + ((now - tickedAt) / 1_000) * rate, rate);
    tickedAt = now;
    for (; due >= 1; due--) sendOne();
  }, tickMs);

  return {
    clientId,
    connected: module.connect(),
    sent: () => sent,
    isConnected: () => module.status.state === 'connected',
    isWanted: () => module.listeners('hooks') > 0,
    setRate: (eventsPerSecond) => void (rate = eventsPerSecond),
    async send(count) {
      const until = sent + count;
      let lateAt = performance.now() + patienceMs;
      while (sent < until) {
        if (performance.now() > lateAt) throw new Error(`only ${sent} of ${until} events could be sent`);
        const isOut = sendOne();
        if (isOut) lateAt = performance.now() + patienceMs;
        if (!isOut || sent % 100 === 0) await new Promise((resolve) => setTimeout(resolve, tickMs));
      }
    },
    close() {
      clearInterval(timer);
      module.close();
    },
  };
}

/** Dials the address that `nextUrl` answers in place of the module's own. */
function webSocketTo(nextUrl: () => string): typeof WebSocket {
  return class extends WebSocket {
    constructor(address: string | URL) {
      const { pathname, search } = new URL(address);
      super(new URL(pathname + search, nextUrl().replace(/^http/, 'ws')));
    }
  };
}
