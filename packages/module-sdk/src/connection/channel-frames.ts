/* oxlint-disable max-lines -- Generated from packages/contract/src/events by `pnpm docs:generate`; a test compares it. */

import type { Channel } from '@tabletop-relay/contract/types';

/** The type of the frames that carry each channel's events, and its name in `event-subscription-update`. */
export const channelFrames: Record<Channel, { frame: string; wire: string }> = {
  hooks: { frame: 'hook-event', wire: 'hooks' },
  combat: { frame: 'combat-event', wire: 'combat-events' },
  actor: { frame: 'actor-event', wire: 'actor-events' },
  scene: { frame: 'scene-event', wire: 'scene-events' },
  chat: { frame: 'chat-event', wire: 'chat-events' },
  rolls: { frame: 'roll-data', wire: 'roll-events' },
};

export const channelNames = Object.keys(channelFrames) as Channel[];
