/* oxlint-disable max-lines -- Generated from packages/contract/src/events by `pnpm docs:generate`; a test compares it. */

import type { Channel } from '@tabletop-relay/contract/types';

/** Where each channel is followed. */
export const channelPaths: Record<Channel, string> = {
  hooks: '/hooks/subscribe',
  combat: '/encounters/subscribe',
  actor: '/actor/subscribe',
  scene: '/scene/subscribe',
  chat: '/chat/subscribe',
  rolls: '/rolls/subscribe',
};
