import { bytes } from '@tabletop-relay/process';

/** The settings of event streams. */
export const streamSettings = {
  streamQueueBytes: bytes(
    1_048_576,
    'Bytes that may wait for a listener that reads slowly; above it events are left out, and it is told how many.',
  ),
};
