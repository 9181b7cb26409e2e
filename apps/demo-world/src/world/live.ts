import { Type } from 'typebox';
import type { Static } from 'typebox';
import { worldActionSchema } from './actions.ts';
import type { WorldState } from './state.ts';

/** A message from a page on the live link (`/live`, JSON text): an action, with an id of the page's own. */
export const livePageMessageSchema = Type.Object(
  { id: Type.Integer({ minimum: 0 }), action: worldActionSchema },
  { additionalProperties: false },
);

export type LivePageMessage = Static<typeof livePageMessageSchema>;

/**
 * A message to a page: the whole state at first and after each tick that changed it, whether the relay is
 * connected, and one `done` or `refused` for each message that it sent.
 */
export type LiveWorldMessage =
  | { state: WorldState }
  | { relay: 'connecting' | 'connected' | 'away' }
  | { done: number }
  | { refused: { id: number | null; code: string; message: string } };
