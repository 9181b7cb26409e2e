import { Type } from 'typebox';
import { command, onWire, query } from '../operation-definition.ts';
import type { OperationDefinitions } from '../operation-definition.ts';
import { nullable } from '../parameters.ts';
import { bodyFlag, encounter, encounterId, position, reasons, tokenUuids } from './encounter.ts';

const combatant = Type.Object({
  id: Type.String(),
  name: Type.String(),
  tokenUuid: Type.Optional(Type.String({ description: 'Absent where there is no token any more.' })),
  actorUuid: Type.Optional(Type.String({ description: 'Absent where there is no actor any more.' })),
  img: nullable(Type.String({ description: 'Path of an image.' })),
  initiative: Type.Union([Type.Number(), Type.Null()], { description: 'Null until it is rolled.' }),
  hidden: Type.Boolean(),
  defeated: Type.Boolean(),
});

const combatants = Type.Array(combatant, {
  description: 'In the order in which they joined; the turn order is by initiative.',
});

const mira = {
  id: 'ambush-mira',
  name: 'Mira Thornwood',
  tokenUuid: 'Scene.chapel.Token.mira',
  actorUuid: 'Actor.mira',
  img: 'tokens/mira.svg',
  initiative: 17,
  hidden: false,
  defeated: false,
};

/** Lists, starts and ends encounters. */
export const lifecycle = {
  encounters: query({
    summary: 'List the encounters of the world',
    description: 'Today’s modules leave hidden combatants out for a user who does not own their actors.',
    scope: 'encounter:read',
    parameters: {},
    result: Type.Object({
      encounters: Type.Array(Type.Object({ ...position, current: Type.Boolean(), combatants })),
    }),
    reasons: ['permission_denied'],
    example: {
      parameters: {},
      result: {
        encounters: [
          {
            id: 'ambush',
            name: 'Ambush in the chapel',
            round: 1,
            turn: 0,
            current: true,
            combatants: [mira],
          },
        ],
      },
    },
  }),
  'start-encounter': command({
    summary: 'Start an encounter',
    description:
      'Tokens may be named, taken from the selection, and taken from the players. Today’s modules add a token twice that is named and a player’s; others add each once.',
    scope: 'encounter:manage',
    effect: 'adds',
    parameters: {
      tokens: onWire('tokenUuids', Type.Optional(tokenUuids('Tokens to include.'))),
      startWithSelected: bodyFlag('Include the tokens that are selected on the canvas.'),
      startWithPlayers: bodyFlag('Include the players’ tokens.'),
      rollNPC: bodyFlag('Roll initiative for those that no player owns.'),
      rollAll: bodyFlag('Roll initiative for all.'),
      name: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 256,
          place: 'body',
          description: 'Name of the encounter; today’s modules call it “New Encounter” where it is left out.',
        }),
      ),
    },
    result: Type.Object({ encounterId, encounter: Type.Object({ ...position, combatants }) }),
    reasons: ['entity_not_found', 'permission_denied', 'too_many_encounters'],
    example: {
      parameters: {
        tokens: ['Scene.chapel.Token.mira', 'Scene.chapel.Token.ghoul'],
        rollAll: true,
        name: 'Ambush in the chapel',
      },
      result: {
        encounterId: 'ambush',
        encounter: {
          id: 'ambush',
          name: 'Ambush in the chapel',
          round: 1,
          turn: 0,
          combatants: [
            mira,
            {
              id: 'ambush-ghoul',
              name: 'Ghoul',
              tokenUuid: 'Scene.chapel.Token.ghoul',
              actorUuid: 'Scene.chapel.Token.ghoul.Actor.ghoul',
              img: 'tokens/ghoul.svg',
              initiative: 9,
              hidden: false,
              defeated: false,
            },
          ],
        },
      },
    },
  }),
  'end-encounter': command({
    summary: 'End an encounter',
    scope: 'encounter:manage',
    effect: 'destroys',
    lessIsMore: true,
    parameters: { encounter },
    result: Type.Object({ encounterId, message: Type.String() }),
    reasons,
    example: { parameters: {}, result: { encounterId: 'ambush', message: 'Ambush in the chapel ended' } },
  }),
} as const satisfies OperationDefinitions;
