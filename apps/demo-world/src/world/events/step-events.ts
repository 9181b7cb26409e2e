import type { Channel } from '@tabletop-relay/contract';
import type { EventData } from '@tabletop-relay/module-sdk';
import type { WorldState } from '../state.ts';
import { actorEvents } from './actor-events.ts';
import { chatEvents, rollEvents } from './chat-events.ts';
import { combatEvents } from './combat-events.ts';
import { hookEvents } from './hook-events.ts';
import { sceneEvents } from './scene-events.ts';

/**
 * What each channel tells when one state follows another. Events are read off the states and never told by an operation, so
 * that whatever changes the world is heard, through the API as by hand.
 */
export const stepEvents: {
  [C in Channel]: (before: WorldState, after: WorldState) => EventData<C>[];
} = {
  hooks: hookEvents,
  combat: combatEvents,
  actor: actorEvents,
  scene: sceneEvents,
  chat: chatEvents,
  rolls: rollEvents,
};
