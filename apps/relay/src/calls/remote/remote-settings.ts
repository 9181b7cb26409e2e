import { milliseconds } from '@tabletop-relay/process';

/** The settings of requests between worlds. */
export const remoteSettings = {
  remoteRequestTimeoutMs: milliseconds(
    60_000,
    'Time for the answer to a module’s request to another world, all waiting included. The time-out of the operation ends most of them earlier.',
    1,
  ),
};
