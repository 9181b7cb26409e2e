import { count, milliseconds } from '@tabletop-relay/process';
import type { SettingsOf } from '@tabletop-relay/process';

/** The settings of headless sessions that a relay reads. */
export const headlessSettings = {
  headlessStartMs: milliseconds(
    120_000,
    'Time in which a headless session must bring its world online; above it the start has failed.',
    1,
  ),
  browserHostWaitMs: milliseconds(
    30_000,
    'How long a headless session waits for a browser host with room; above it 503 `browser_unavailable`.',
    1,
  ),
  maxHeadlessPerAccount: count(10, 'Headless sessions of an account at once; above it 409 `conflict`.'),
  maxHeadlessKept: count(
    100,
    'Headless sessions of an account that are kept for a day after their end, with picture and console; a further start takes the oldest away.',
    0,
  ),
};

export const headlessConstants = {
  /**
   * A headless session that no browser host has had for so long ends. Above the 15 s in which another host takes those of one
   * that died.
   */
  headlessLapseMs: 60_000,
  /** RSA key pairs made ahead of handshakes, off the event loop. 0: each handshake waits for its own. */
  handshakeKeysAhead: 8,
};

export type HeadlessSettings = SettingsOf<typeof headlessSettings> & typeof headlessConstants;
