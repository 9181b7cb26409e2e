import type { Followed, Following, Position } from '@tabletop-relay/cluster';
import type { Channel, StandingPause } from '@tabletop-relay/contract';
import type { RelayMetrics } from '../metrics.ts';
import type { EventFilter } from './events/event-filter.ts';
import { isVisibleTo } from './events/visible-to.ts';
import type { Prepared } from './events/sse-bytes.ts';
import type { EventWriter } from './sse-writer.ts';

export interface ListenerOptions {
  writer: EventWriter;
  clientId: string;
  channel: Channel;
  following: Following;
  filter: EventFilter | undefined;
  /** The user of the world to whom the caller is bound; undefined: to nobody. */
  actingUserId: string | undefined;
  /** Whether the caller may follow depends on the module, and is asked anew when another may have come. */
  asksModule: boolean;
  prepare: (followed: Followed) => Prepared;
  queueBytes: number;
  metrics: Pick<RelayMetrics, 'eventsSent' | 'eventsDropped'>;
}

const catchUpAgainMs = 500;

/** One open stream: it writes what its caller asked for, and no more than the caller reads. */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #writer: EventWriter;
  #position: Position;
  /** Events left out because the caller reads slowly. */
  #dropped = 0;
  /** Bytes that may wait. More while what was missed waits: that is bounded by the history. */
  #mostWaiting: number;
  /** Whether the world is online, and what of it the caller was told last. */
  #isOnline: boolean;
  #isOnlineSent: boolean;
  /** Undefined: nothing is held back. Null: until it is known why. */
  #held: StandingPause | null | undefined;
  /** Counts the changes of a pause, so that one that takes a while knows of the next. */
  #changes = 0;

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#writer = options.writer;
    this.#mostWaiting = options.queueBytes;
    this.#position = options.following.position;
    this.#isOnline = this.#isOnlineSent = options.following.isOnline;
  }

  /** Says where the stream stands, sends what was missed, and then what comes. */
  start(): void {
    const { following, clientId, channel } = this.#options;
    const { recovered, missed, isOnline } = following;
    const facts = { clientId, channel };
    this.#writer.tell('connected', { ...facts, recovered }, this.#position);
    if (!recovered && !isOnline) {
      this.#writer.tell('client-offline', { ...facts, timestamp: Date.now() });
    }
    this.#mostWaiting = Infinity;
    for (const message of missed) this.#take(message);
    this.#allowBacklog();
    following.start((message) => this.#take(message));
  }

  /** Delivers nothing until `setPause` says whether the stream is paused. */
  hold(): void {
    this.#held ??= null;
  }

  /** Tells the caller of a pause and is silent while it stands. What happens meanwhile is never delivered. */
  setPause(pause: StandingPause | undefined): void {
    const facts = { clientId: this.#options.clientId, channel: this.#options.channel };
    const change = ++this.#changes;
    if (pause) {
      if (this.#held?.since === pause.since && this.#held.setIn === pause.setIn && this.#held.of === pause.of)
        return;
      this.#held = pause;
      this.#writer.tell('paused', { ...facts, ...pause }, this.#position);
      return;
    }
    if (this.#held === undefined) return;
    this.#resumeUnless(() => change !== this.#changes || this.#writer.isCut);
  }

  /** What was on its way when the pause was lifted happened before. While the store is away nothing comes, and it is asked again. */
  #resumeUnless(isOver: () => boolean): void {
    this.#options.following.catchUp().then(
      () => {
        if (!isOver()) this.#resume();
      },
      () => {
        setTimeout(() => {
          if (!isOver()) this.#resumeUnless(isOver);
        }, catchUpAgainMs).unref();
      },
    );
  }

  #resume(): void {
    const facts = { clientId: this.#options.clientId, channel: this.#options.channel };
    const wasSent = this.#held !== null;
    this.#held = undefined;
    if (wasSent) this.#writer.tell('resumed', facts, this.#position);
    if (this.#dropped > 0) return this.#tellDropped();
    if (!wasSent) return;
    this.#writer.tell('gap', facts, this.#position);
  }

  /** Says how far the stream has come, also where the filter let nothing pass. */
  keepAlive(): void {
    if (this.#writer.waitingBytes === 0) this.#writer.keepAlive(this.#position);
  }

  /** Ends the stream; the caller comes back after `afterMs`. */
  end(afterMs?: number): void {
    this.#options.following.stop();
    this.#writer.end(afterMs);
  }

  /** Ends a stream whose caller has opened it anew: this connection may lead nowhere, so no last word could be sent. */
  cut(): void {
    this.#options.following.stop();
    this.#writer.cut();
  }

  #take(followed: Followed): void {
    const { filter, actingUserId, channel, prepare, metrics } = this.#options;
    const { gen, n, kind } = followed;
    this.#position = { gen, n };
    if (kind === 'online' || kind === 'offline') this.#isOnline = kind === 'online';
    const prepared = prepare(followed);
    if (filter && prepared.parsed) {
      const { name, data } = prepared.parsed;
      if (!filter(name, data)) return;
    }
    if (actingUserId !== undefined && prepared.parsed && !isVisibleTo(actingUserId, channel, prepared.parsed))
      return;
    if (this.#held !== undefined) {
      this.#dropped += kind === 'gap' ? (followed.dropped ?? 1) : 1;
      metrics.eventsDropped.labels('paused').inc();
      return;
    }
    if (this.#isSlow()) {
      this.#dropped += kind === 'gap' ? (followed.dropped ?? 1) : 1;
      metrics.eventsDropped.labels('slow_listener').inc();
      return;
    }
    this.#writer.pass(prepared, this.#position);
    this.#isOnlineSent = this.#isOnline;
    metrics.eventsSent.inc();
    if (kind === 'online' && this.#options.asksModule) this.end();
  }

  /** After what was missed as much may wait as at any time. */
  #allowBacklog(): void {
    const { queueBytes } = this.#options;
    const { waitingBytes } = this.#writer;
    this.#mostWaiting = queueBytes + waitingBytes;
    if (waitingBytes > 0) this.#writer.whenRead(() => (this.#mostWaiting = queueBytes));
  }

  /** Whether too much waits already. When the caller has caught up it is told how much was left out. */
  #isSlow(): boolean {
    if (this.#dropped > 0) return true;
    if (this.#writer.waitingBytes < this.#mostWaiting) return false;
    this.#writer.whenRead(() => this.#tellDropped());
    return true;
  }

  #tellDropped(): void {
    const { clientId, channel } = this.#options;
    const facts = { clientId, channel };
    const dropped = this.#dropped;
    this.#dropped = 0;
    if (dropped === 0) return;
    this.#writer.tell('gap', { ...facts, dropped }, this.#position);
    if (this.#isOnline === this.#isOnlineSent) return;
    // It was among what was left out.
    this.#isOnlineSent = this.#isOnline;
    const name = this.#isOnline ? 'client-online' : 'client-offline';
    this.#writer.tell(name, { ...facts, timestamp: Date.now() });
  }
}
