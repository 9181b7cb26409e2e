import { Type } from 'typebox';
import { command, query } from '../operation-definition.ts';
import type { OperationGroup } from '../operation-definition.ts';
import { createChatMessage, nullable, uuid } from '../parameters.ts';

const dice = Type.Optional(
  Type.Array(
    Type.Object({
      faces: Type.Optional(nullable(Type.Number())),
      results: Type.Optional(
        Type.Array(Type.Unknown({ description: 'A die: its value and whether it counts.' })),
      ),
    }),
  ),
);

const flag = Type.Optional(nullable(Type.Boolean()));

const record = Type.Object({
  id: Type.Optional(nullable(Type.String())),
  messageId: Type.Optional(nullable(Type.String({ description: 'Id of its chat message.' }))),
  user: Type.Optional(Type.Unknown({ description: 'The user who rolled: `id` and `name`.' })),
  speaker: Type.Optional(Type.Unknown({ description: 'In whose name it was rolled.' })),
  flavor: Type.Optional(nullable(Type.String({ description: 'What it was for.' }))),
  rollTotal: Type.Optional(nullable(Type.Number())),
  formula: Type.Optional(nullable(Type.String())),
  isCritical: flag,
  isFumble: flag,
  dice,
  timestamp: Type.Optional(nullable(Type.Number({ description: 'Epoch milliseconds.' }))),
});

const remembered =
  'A world remembers its last 20 rolls. Today’s modules remember a roll of the chat only while their channel of rolls is on. The relay keeps it on while a key with `roll:read` may reach the world: rolls of the time before are missing. The master key alone does not keep it on.';

const initiative = {
  id: 'aBcDeFgHiJkLmNoP',
  messageId: 'aBcDeFgHiJkLmNoP',
  user: { id: 'ada', name: 'Ada' },
  speaker: { alias: 'Mira Thornwood' },
  flavor: 'Initiative',
  rollTotal: 17,
  formula: '1d20 + 2',
  isCritical: false,
  isFumble: false,
  dice: [{ faces: 20, results: [{ result: 15, active: true }] }],
  timestamp: 1_760_000_000_000,
};

export const rolls = {
  name: 'rolls',
  title: 'Dice',
  prefix: '',
  definitions: {
    rolls: query({
      summary: 'List the last rolls',
      description: remembered,
      scope: 'roll:read',
      userUnchecked: true,
      parameters: {
        limit: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 20,
            default: 20,
            cut: true,
            description: 'How many at most; more count as 20.',
          }),
        ),
      },
      result: Type.Object({ data: Type.Array(record) }),
      example: { parameters: { limit: 1 }, result: { data: [initiative] } },
    }),
    'last-roll': query({
      summary: 'Read the last roll',
      description: remembered,
      path: '/lastroll',
      scope: 'roll:read',
      userUnchecked: true,
      parameters: {},
      result: Type.Object({
        data: Type.Optional(nullable(record, 'Null while nothing was rolled.')),
      }),
      example: { parameters: {}, result: { data: initiative } },
    }),
    roll: command({
      summary: 'Roll a formula',
      path: '/roll',
      scope: 'roll:execute',
      effect: 'adds',
      parameters: {
        formula: Type.String({
          minLength: 1,
          maxLength: 256,
          description: 'Dice notation, for example `4d6dl1 + 2` or `2d20kh + 1d4`.',
        }),
        flavor: Type.Optional(Type.String({ maxLength: 1024, description: 'What it is for.' })),
        createChatMessage,
        speaker: Type.Optional(uuid('UUID of the token or actor in whose name it is rolled.')),
        whisper: Type.Optional(
          Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
            maxItems: 100,
            description: 'Ids or names of the users who alone see it.',
          }),
        ),
      },
      result: Type.Object({
        success: Type.Boolean(),
        data: Type.Object({
          id: Type.Optional(nullable(Type.String({ description: 'Id of the roll.' }))),
          chatMessageCreated: flag,
          roll: Type.Object({
            formula: Type.String(),
            total: Type.Number(),
            isCritical: flag,
            isFumble: flag,
            dice,
            timestamp: Type.Optional(Type.Number()),
          }),
        }),
      }),
      reasons: ['entity_not_found', 'permission_denied', 'invalid_formula'],
      example: {
        parameters: { formula: '2d6 + 3', flavor: 'Damage', speaker: 'Actor.mira' },
        result: {
          success: true,
          data: {
            id: 'aBcDeFgHiJkLmNoP',
            chatMessageCreated: true,
            roll: {
              formula: '2d6 + 3',
              total: 11,
              isCritical: false,
              isFumble: false,
              dice: [
                {
                  faces: 6,
                  results: [
                    { result: 5, active: true },
                    { result: 3, active: true },
                  ],
                },
              ],
              timestamp: 1_760_000_000_000,
            },
          },
        },
      },
    }),
  },
} as const satisfies OperationGroup;
