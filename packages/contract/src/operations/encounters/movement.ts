import { Type } from 'typebox';
import { command } from '../operation-definition.ts';
import type { OperationDefinitions } from '../operation-definition.ts';
import { nullable } from '../parameters.ts';
import { encounter, encounterId, position, reasons } from './encounter.ts';

/** Four operations move through an encounter. They take and answer the same fields. */
const move = <const A extends string>(action: A, summary: string, description: string) =>
  command({
    summary,
    description,
    scope: 'encounter:manage',
    effect: 'changes',
    lessIsMore: true,
    parameters: { encounter },
    result: Type.Object({
      encounterId,
      action: Type.Literal(action),
      currentTurn: nullable(Type.Integer(), 'Null in round 0.'),
      currentRound: Type.Integer(),
      actorTurn: Type.Optional(
        Type.String({ description: 'UUID of the actor whose turn it is; absent without combatants.' }),
      ),
      tokenTurn: Type.Optional(Type.String({ description: 'UUID of that actor’s token.' })),
      encounter: Type.Object(position),
    }),
    reasons,
    example: {
      parameters: {},
      result: {
        encounterId: 'ambush',
        action,
        currentTurn: 0,
        currentRound: 2,
        actorTurn: 'Actor.mira',
        tokenTurn: 'Scene.chapel.Token.mira',
        encounter: { id: 'ambush', name: 'Ambush in the chapel', round: 2, turn: 0 },
      },
    },
  });

export const movement = {
  'next-turn': move(
    'nextTurn',
    'Go to the next turn',
    'Past the last combatant the next round begins, at turn 0. Whether the defeated keep their turn is a setting of the tabletop.',
  ),
  'next-round': move('nextRound', 'Go to the next round', 'Lands on turn 0.'),
  'last-turn': move(
    'previousTurn',
    'Go back one turn',
    'Before the first combatant it is the last turn of the round before. At round 1, turn 0 nothing changes.',
  ),
  'last-round': move(
    'previousRound',
    'Go back one round',
    'Lands on the last turn of the round before. At round 1 it goes to turn 0.',
  ),
} as const satisfies OperationDefinitions;
