import { bytes, count } from '@tabletop-relay/process';

/** The settings of event streams. */
export const streamSettings = {
  streamsPerKey: count(20, 'Event streams that one API key may hold open, over all instances.'),
  streamsPerAccount: count(
    100,
    'Event streams that all keys of one account may hold open, over all instances.',
  ),
  streamQueueBytes: bytes(
    1_048_576,
    'Bytes that may wait for a listener that reads slowly; above it events are left out, and it is told how many.',
  ),
};
