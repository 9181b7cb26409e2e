import type { Channel, ChannelTypes } from '@tabletop-relay/contract/types';
import { channelPaths } from '../generated/channel-paths.ts';
import type { RelayError } from '../requests/relay-error.ts';
import { urlOf } from '../requests/send-request.ts';
import { followStream } from './follow-stream.ts';
import type { PlainEvent } from './follow-stream.ts';
import type { StreamEvent } from './stream-event.ts';

export interface FollowOptions {
  /** Ends the stream: the loop ends, and nothing is thrown. */
  signal?: AbortSignal | undefined;
  /** The `id` of the last event that was handled, by an earlier stream or an earlier run of the program. */
  lastEventId?: string | undefined;
  /** Called when the connection is lost, with the time until the next try. */
  onInterrupted?: (error: RelayError, retryInMs: number) => void;
  /** After so long without a sign of life the connection is given up; 40 s by default, because the relay gives one every 15 s. */
  silentMs?: number;
}

/** The world, and what to narrow the stream by. */
export type Follow<C extends Channel> = ChannelTypes[C]['filters'] & { clientId?: string | undefined };

type FollowMethod<C extends Channel> = (
  follow?: Follow<C>,
  options?: FollowOptions,
) => AsyncIterable<StreamEvent<C>>;

/**
 * A method for each channel, `events.combat({ clientId })`. Each loop over its answer is one stream, opened when the loop
 * begins and closed when it ends. It comes back by itself after an interruption and says by `connected` and `gap`
 * whether something is missing. A failure that waiting does not mend is thrown as a `RelayError`.
 */
export type EventStreams = { [C in Channel]: FollowMethod<C> };

export interface EventStreamsOptions {
  url: string;
  apiKey: string;
  /** The world to follow where none is named. */
  clientId?: string;
  fetch?: typeof globalThis.fetch;
  /** How often to try a stream that could not be opened; 0 by default. One that was open comes back in any case. */
  retries?: number;
}

const usualSilentMs = 40_000;

/** Makes the event streams alone, for a page that shall stay small; `createRelay` has them as `events`. */
export function createEventStreams(options: EventStreamsOptions): EventStreams {
  const { apiKey, clientId, fetch = globalThis.fetch.bind(globalThis), retries = 0 } = options;

  return streamMethods(({ path, given, options: followOptions }, signal) => {
    const { lastEventId, onInterrupted, silentMs = usualSilentMs } = followOptions;
    const url = urlOf(options.url, path + queryOf({ ...given, clientId: given['clientId'] ?? clientId }));
    return followStream({ fetch, url, apiKey, retries, silentMs, lastEventId, signal, onInterrupted });
  });
}

export type Given = Readonly<Record<string, unknown>>;

interface Followed {
  channel: string;
  /** Where the channel is streamed over HTTP. */
  path: string;
  given: Given;
  options: FollowOptions;
}

type Open = (followed: Followed, signal: AbortSignal) => AsyncGenerator<PlainEvent, void, undefined>;

/** A method for each channel, each loop over whose answer opens one stream and ends it. */
export function streamMethods(open: Open): EventStreams {
  const follow = (followed: Followed) => ({
    [Symbol.asyncIterator]() {
      const end = new AbortController();
      const { signal } = followed.options;
      const events = open(followed, signal ? AbortSignal.any([signal, end.signal]) : end.signal);
      return {
        next: () => events.next(),
        // A generator that waits for an event ends only with it, so the wait is ended first.
        return() {
          end.abort();
          return events.return();
        },
      };
    },
  });
  return Object.fromEntries(
    Object.entries(channelPaths).map(([channel, path]) => [
      channel,
      (given: Given = {}, options: FollowOptions = {}) => follow({ channel, path, given, options }),
    ]),
  ) as unknown as EventStreams;
}

function queryOf(given: Given): string {
  const fields = Object.entries(given)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, String(value)]);
  return fields.length === 0 ? '' : `?${new URLSearchParams(fields).toString()}`;
}
