import { Type } from 'typebox';
import { command } from '../operation-definition.ts';
import type { OperationDefinitions } from '../operation-definition.ts';
import { nullable } from '../parameters.ts';

const src = Type.String({
  minLength: 1,
  maxLength: 1024,
  description: 'Path or address of the file, for example `sounds/bell.ogg`.',
});

const reasons = ['permission_denied'] as const;

export const sounds = {
  'play-sound': command({
    summary: 'Play a sound once for everyone',
    description:
      'The browser of each player who is in the world loads it and plays it. A user must be a game master.',
    path: '/play-sound',
    scope: 'playlist:control',
    effect: 'adds',
    lessIsMore: true,
    parameters: {
      src,
      volume: Type.Optional(
        Type.Number({ minimum: 0, maximum: 1, default: 0.5, description: '0 is silent, 1 is full.' }),
      ),
      loop: Type.Optional(Type.Boolean({ description: 'Begin anew until it is stopped.' })),
    },
    result: Type.Object({
      data: Type.Object({ src: Type.String(), volume: Type.Number(), loop: Type.Boolean() }),
    }),
    reasons,
    example: {
      parameters: { src: 'sounds/bell.ogg' },
      result: { data: { src: 'sounds/bell.ogg', volume: 0.5, loop: false } },
    },
  }),
  'stop-sound': command({
    summary: 'Stop a sound, or all of them',
    description:
      'Today’s modules stop sounds in the game master’s browser alone: players hear them to their end. A user must be a game master.',
    path: '/stop-sound',
    scope: 'playlist:control',
    effect: 'changes',
    lessIsMore: true,
    parameters: { src: Type.Optional(src) },
    result: Type.Object({
      data: Type.Object({
        stopped: Type.Number({ description: 'How many were playing.' }),
        src: Type.Optional(nullable(Type.String())),
      }),
    }),
    reasons,
    example: { parameters: {}, result: { data: { stopped: 0, src: null } } },
  }),
} as const satisfies OperationDefinitions;
