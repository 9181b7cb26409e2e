import { Type } from 'typebox';
import { command, query } from '../operation.ts';
import type { OperationGroup } from '../operation.ts';
import { uuid } from './parameters.ts';

const encounter = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 256,
    wireName: 'encounterId',
    description: 'Id of the encounter; the current one when left out.',
  }),
);

const encounterId = Type.String({ description: 'Id of the encounter.' });

const tokenUuids = (description: string, options = {}) =>
  Type.Array(uuid('Token UUID, for example `Scene.chapel.Token.mira`.'), {
    place: 'body',
    description,
    ...options,
  });

const bodyFlag = (description: string) => Type.Optional(Type.Boolean({ place: 'body', description }));

const tokenChoice = {
  encounter,
  uuids: Type.Optional(tokenUuids('The tokens, by UUID.', { minItems: 1 })),
  selected: Type.Optional(Type.Boolean({ description: 'Use the tokens that are selected on the canvas.' })),
};

const combatant = Type.Object({
  id: Type.String(),
  name: Type.String(),
  tokenUuid: Type.String(),
  actorUuid: Type.String(),
  img: Type.String({ description: 'Path of an image.' }),
  initiative: Type.Union([Type.Number(), Type.Null()], { description: 'Null until it is rolled.' }),
  hidden: Type.Boolean(),
  defeated: Type.Boolean(),
});

const position = {
  id: Type.String(),
  name: Type.Optional(Type.String()),
  round: Type.Integer({ description: '1 after the start.' }),
  turn: Type.Integer({ description: 'Index into the turn order; 0 after the start.' }),
};

const combatants = Type.Array(combatant, { description: 'In turn order.' });

const failed = Type.Array(Type.Object({ uuid: Type.String(), reason: Type.String() }), {
  description: 'Tokens that could not be processed, and why.',
});

const tokenList = (description: string) => Type.Array(Type.String(), { description });

const reasons = ['encounter_not_found', 'permission_denied'] as const;

/** The four operations that move through an encounter differ in their action alone. */
const movement = <const A extends string>(action: A, summary: string, description: string) =>
  command({
    summary,
    description,
    scope: 'encounter:manage',
    parameters: { encounter },
    result: Type.Object({
      encounterId,
      action: Type.Literal(action),
      currentTurn: Type.Integer(),
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

const miraInTurnOrder = {
  id: 'ambush-mira',
  name: 'Mira Thornwood',
  tokenUuid: 'Scene.chapel.Token.mira',
  actorUuid: 'Actor.mira',
  img: 'tokens/mira.svg',
  initiative: 17,
  hidden: false,
  defeated: false,
};

export const encounters = {
  name: 'encounters',
  title: 'Combat encounters',
  prefix: '',
  definitions: {
    encounters: query({
      summary: 'List the encounters of the world',
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
              combatants: [miraInTurnOrder],
            },
          ],
        },
      },
    }),
    'start-encounter': command({
      summary: 'Start an encounter',
      description:
        'Tokens may be named, taken from the selection, and taken from the players; each joins once.',
      scope: 'encounter:manage',
      parameters: {
        tokens: Type.Optional(tokenUuids('Tokens to include.', { wireName: 'tokenUuids' })),
        startWithSelected: bodyFlag('Include the tokens that are selected on the canvas.'),
        startWithPlayers: bodyFlag('Include the players’ tokens.'),
        rollNPC: bodyFlag('Roll initiative for those that no player owns.'),
        rollAll: bodyFlag('Roll initiative for all.'),
        name: Type.Optional(
          Type.String({ minLength: 1, maxLength: 256, place: 'body', description: 'Name of the encounter.' }),
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
              miraInTurnOrder,
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
    'next-turn': movement(
      'nextTurn',
      'Go to the next turn',
      'Past the last combatant the next round begins, at turn 0.',
    ),
    'next-round': movement('nextRound', 'Go to the next round', 'Lands on turn 0.'),
    'last-turn': movement(
      'previousTurn',
      'Go back one turn',
      'Before the first combatant it is the last turn of the round before. At round 1, turn 0 nothing changes.',
    ),
    'last-round': movement(
      'previousRound',
      'Go back one round',
      'Lands on turn 0. At round 1 nothing but the turn changes.',
    ),
    'end-encounter': command({
      summary: 'End an encounter',
      scope: 'encounter:manage',
      parameters: { encounter },
      result: Type.Object({ encounterId, message: Type.String() }),
      reasons,
      example: { parameters: {}, result: { encounterId: 'ambush', message: 'Ambush in the chapel ended' } },
    }),
    'add-to-encounter': command({
      summary: 'Add tokens to an encounter',
      description: 'A token that can’t be added is listed in `failed`; the others are added all the same.',
      scope: 'encounter:manage',
      parameters: { ...tokenChoice, rollInitiative: bodyFlag('Roll initiative for those that are added.') },
      needsOneOf: ['uuids', 'selected'],
      result: Type.Object({ encounterId, added: tokenList('Token UUIDs that were added.'), failed }),
      reasons,
      example: {
        parameters: { uuids: ['Scene.chapel.Token.cultist'], rollInitiative: true },
        result: { encounterId: 'ambush', added: ['Scene.chapel.Token.cultist'], failed: [] },
      },
    }),
    'remove-from-encounter': command({
      summary: 'Remove tokens from an encounter',
      description:
        'A token that can’t be removed is listed in `failed`; the others are removed all the same.',
      scope: 'encounter:manage',
      parameters: tokenChoice,
      needsOneOf: ['uuids', 'selected'],
      result: Type.Object({ encounterId, removed: tokenList('Token UUIDs that were removed.'), failed }),
      reasons,
      example: {
        parameters: { uuids: ['Scene.chapel.Token.ghoul-2'] },
        result: { encounterId: 'ambush', removed: ['Scene.chapel.Token.ghoul-2'], failed: [] },
      },
    }),
  },
} as const satisfies OperationGroup;
