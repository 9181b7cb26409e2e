import { defaultStreamBounds } from '@tabletop-relay/cluster';
import type { StreamBounds } from '@tabletop-relay/cluster';
import { bytes, count } from '@tabletop-relay/process';
import type { SettingsOf } from '@tabletop-relay/process';

/** The settings of event streams. */
export const streamSettings = {
  streamsPerKey: count(
    20,
    'Event streams and callers’ sockets that one API key may hold open, over all instances.',
  ),
  streamsPerAccount: count(
    100,
    'Event streams and callers’ sockets that all keys of one account may hold open, over all instances.',
  ),
  streamQueueBytes: bytes(
    1_048_576,
    'Bytes that may wait for a listener that reads slowly; above it events are left out, and it is told how many.',
  ),
  streamHistoryEvents: count(
    defaultStreamBounds.historyEvents,
    'Events that are kept of each stream for five minutes, so that who returns meanwhile misses none.',
  ),
};

/** What the cluster keeps of streams. */
export function streamBoundsOf(settings: SettingsOf<typeof streamSettings>): Partial<StreamBounds> {
  return { historyEvents: settings.streamHistoryEvents };
}
