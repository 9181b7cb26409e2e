import { signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { Channel } from '@tabletop-relay/contract';
import { createEventStreams, RelayError } from '@tabletop-relay/sdk';
import { createPageKeys } from '../../../page-keys.ts';
import { withEntry } from './entries.ts';
import type { TailEntry } from './entries.ts';

/** How a tail stands. `waiting`: the line is lost and will be tried again. */
export type TailState = 'stopped' | 'opening' | 'live' | 'waiting';

export interface Tail {
  state: ReadonlySignal<TailState>;
  /** The newest first. */
  entries: ReadonlySignal<readonly TailEntry[]>;
  problem: ReadonlySignal<RelayError | undefined>;
  start(follow: { channels: readonly Channel[]; actorUuid: string }): Promise<void>;
  stop(): void;
  clear(): void;
}

const tailKeys = createPageKeys({ purpose: 'tail', scopes: () => ['events:subscribe'] });

/** Follows a world's events as a program would, with a key that was made for it. */
export function createTail(clientId: string): Tail {
  const state = signal<TailState>('stopped');
  const entries = signal<readonly TailEntry[]>([]);
  const problem = signal<RelayError>();
  let ended = new AbortController();

  const stop = () => {
    ended.abort();
    state.value = 'stopped';
  };

  const followOne = async (apiKey: string, channel: Channel, actorUuid: string, signalOfEnd: AbortSignal) => {
    const streams = createEventStreams({ url: '', apiKey, clientId });
    const onInterrupted = () => void (state.value = 'waiting');
    const follow = streams[channel] as (
      given: object,
      options: object,
    ) => AsyncIterable<{ event: string; data: unknown }>;
    const events = follow(channel === 'actor' ? { actorUuid } : {}, { signal: signalOfEnd, onInterrupted });
    for await (const { event, data } of events) {
      state.value = 'live';
      entries.value = withEntry(entries.value, { channel, event, data, at: Date.now() });
    }
  };

  return {
    state,
    entries,
    problem,
    async start({ channels, actorUuid }) {
      stop();
      const end = (ended = new AbortController());
      state.value = 'opening';
      problem.value = undefined;
      let apiKey: string | undefined;
      try {
        apiKey = await tailKeys.make(clientId);
        const key = apiKey;
        await Promise.all(channels.map((channel) => followOne(key, channel, actorUuid, end.signal)));
      } catch (error) {
        if (!(error instanceof RelayError)) throw error;
        if (apiKey !== undefined && error.status === 401) tailKeys.drop(apiKey);
        // One that was stopped meanwhile has nothing to say any more.
        if (end === ended) {
          problem.value = error;
          stop();
        }
      }
    },
    stop,
    clear: () => (entries.value = []),
  };
}
