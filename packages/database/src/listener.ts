import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

export interface ListenerOptions {
  url: string;
  /** Returns the current URL. Called for each new connection, since passwords change while the process runs. */
  reread?: (url: string) => string;
  /** The channel of `pg_notify`: a plain lower-case name. */
  channel: string;
  /** Warned once when notices cannot be heard any more. */
  log: { warn(detail: object, message: string): void };
}

/**
 * Hears the notices of one channel of Postgres (`NOTIFY`). It has a connection of its own while somebody listens. Any notice
 * may be lost: whoever waits for one also looks by itself now and then.
 */
export interface Listener {
  /**
   * Calls `onNotice` at each notice with this payload, and each time that a connection begins to hear, because notices may have
   * been lost before. Returns what ends it.
   */
  on(payload: string, onNotice: () => void): () => void;
  close(): Promise<void>;
}

const retryMs = 1_000;
/** A connection stays open for so long after the last listener, because another often follows. */
const idleMs = 10_000;

export function createListener({ url, reread, channel, log }: ListenerOptions): Listener {
  const listeners = new Map<string, Set<() => void>>();
  let endConnection = () => {};
  let hearing: Promise<void> | undefined;
  let idle: NodeJS.Timeout | undefined;
  let isClosed = false;
  let isWarned = false;

  const isNeeded = () => listeners.size > 0 && !isClosed;

  async function hear(): Promise<void> {
    while (isNeeded()) {
      try {
        await hearOnce();
      } catch (error) {
        if (!isNeeded()) break;
        if (!isWarned) log.warn({ err: error, channel }, 'notices of Postgres cannot be heard');
        isWarned = true;
        await delay(retryMs);
      }
    }
    hearing = undefined;
  }

  /** Resolves when a connection that was not needed any more has ended; rejects when one broke. */
  async function hearOnce(): Promise<void> {
    // Ours, because pg waits for the server's goodbye, and never settles a `connect` that is ended before its answer.
    const socket = new Socket();
    const client = new Client({
      connectionString: reread ? reread(url) : url,
      stream: () => socket,
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
      // It reads only, so a dead server would not be noticed otherwise.
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      application_name: 'tabletop-relay',
    });
    const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
    client.on('error', reject);
    client.on('notification', ({ payload = '' }) => tell(listeners.get(payload)));
    endConnection = resolve;
    try {
      await Promise.race([begin(client), ended]);
      await ended;
    } finally {
      endConnection = () => {};
      socket.destroy();
    }
  }

  async function begin(client: Client): Promise<void> {
    await client.connect();
    await client.query(`listen ${channel}`);
    isWarned = false;
    for (const ofPayload of listeners.values()) tell(ofPayload);
  }

  function leave(payload: string, onNotice: () => void): void {
    const ofPayload = listeners.get(payload);
    ofPayload?.delete(onNotice);
    if (ofPayload?.size === 0) listeners.delete(payload);
    if (listeners.size > 0) return;
    clearTimeout(idle);
    idle = setTimeout(() => listeners.size === 0 && endConnection(), idleMs).unref();
  }

  return {
    on(payload, onNotice) {
      // One function may listen twice, and leave once.
      const own = () => onNotice();
      const ofPayload = listeners.get(payload) ?? new Set();
      listeners.set(payload, ofPayload.add(own));
      if (!isClosed) hearing ??= hear();
      return () => leave(payload, own);
    },
    async close() {
      isClosed = true;
      clearTimeout(idle);
      endConnection();
      await hearing;
    },
  };
}

function tell(listeners: Iterable<() => void> = []): void {
  for (const onNotice of listeners) onNotice();
}
