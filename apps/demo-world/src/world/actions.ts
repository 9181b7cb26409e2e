import { Type } from 'typebox';
import type { Static, TSchema } from 'typebox';

const uuid = Type.String({ minLength: 1, maxLength: 256 });
const action = <K extends string, P extends Record<string, TSchema>>(kind: K, fields: P) =>
  Type.Object({ kind: Type.Literal(kind), ...fields }, { additionalProperties: false });

/** The actions that somebody can take in a world's page. Coordinates are grid squares from the scene's top left. */
export const worldActionSchema = Type.Union([
  action('operation', {
    name: Type.String({ maxLength: 64 }),
    parameters: Type.Record(Type.String(), Type.Unknown()),
  }),
  action('move-token', { tokenUuid: uuid, x: Type.Integer(), y: Type.Integer() }),
  action('hide-token', { tokenUuid: uuid, hidden: Type.Boolean() }),
  action('select', { tokenUuids: Type.Array(uuid, { maxItems: 100 }) }),
  /** Any formula, for example `2d6 + 3`, in an actor's name or, without one, in the GM's. */
  action('roll', { formula: Type.String({ minLength: 1, maxLength: 256 }), actorUuid: Type.Optional(uuid) }),
  /** Hit points lost; a negative amount heals. */
  action('damage', { actorUuid: uuid, amount: Type.Integer({ minimum: -1000, maximum: 1000 }) }),
  action('roll-initiative', { combatantId: uuid }),
  action('set-defeated', { combatantId: uuid, defeated: Type.Boolean() }),
  action('activate-scene', { sceneId: uuid }),
  action('say', { text: Type.String({ minLength: 1, maxLength: 1000 }) }),
]);

export type WorldAction = Static<typeof worldActionSchema>;
