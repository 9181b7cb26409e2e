import { Type } from 'typebox';
import { command, query } from '../operation-definition.ts';
import type { OperationGroup } from '../operation-definition.ts';
import { nullable, uuid } from '../parameters.ts';

const text = Type.Optional(nullable(Type.String()));

const macro = Type.Object({
  uuid: Type.String(),
  id: Type.Optional(Type.String()),
  name: Type.String(),
  type: text,
  author: Type.Optional(Type.Unknown({ description: 'The user who wrote it: an id, or a name.' })),
  command: Type.Optional(nullable(Type.String({ description: 'The code.' }))),
  img: text,
  scope: text,
  canExecute: Type.Optional(Type.Boolean({ description: 'Whether the acting user may run it.' })),
});

const reasons = ['permission_denied', 'script_failed', 'not_allowed', 'too_busy', 'world_full'] as const;

const returned = (description: string) => Type.Optional(Type.Unknown({ description }));

export const macros = {
  name: 'macros',
  title: 'Macros and scripts',
  prefix: '',
  definitions: {
    macros: query({
      summary: 'List the macros with their code',
      description:
        'A user gets those that the user may at least see. One macro is read by `GET /get`, and made, changed and deleted by `POST /create`, `PUT /update` and `DELETE /delete`, which then need `macro:write`.',
      scope: 'macro:read',
      parameters: {},
      result: Type.Object({ macros: Type.Array(macro) }),
      unloggedResult: ['macros.command'],
      example: {
        parameters: {},
        result: {
          macros: [
            {
              uuid: 'Macro.toll',
              id: 'toll',
              name: 'Toll the bell',
              type: 'script',
              author: 'ada',
              command: 'return args.times ?? 1;',
              img: 'icons/macro.svg',
              scope: 'global',
              canExecute: true,
            },
          ],
        },
      },
    }),
    'macro-execute': command({
      summary: 'Run a macro',
      description:
        'A setting of the world must allow it, which is off at first, and `userId` must own the macro. It runs as the connected game master, whoever `userId` is. A result that is no object comes as `{"value": ...}`.',
      path: '/macro/:uuid/execute',
      scope: 'macro:execute',
      effect: 'destroys',
      parameters: {
        uuid: uuid('UUID of the macro, for example `Macro.toll`.'),
        args: Type.Optional(
          Type.Record(Type.String(), Type.Unknown(), {
            place: 'body',
            description: 'What the macro finds in `args`.',
          }),
        ),
      },
      secretAnswer: true,
      result: Type.Object({
        uuid: Type.Optional(Type.String()),
        success: Type.Boolean(),
        result: returned('What the macro returned.'),
      }),
      reasons: ['entity_not_found', ...reasons],
      example: {
        parameters: { uuid: 'Macro.toll', args: { times: 3 } },
        result: { uuid: 'Macro.toll', success: true, result: { value: 3 } },
      },
    }),
    'execute-js': command({
      summary: 'Run a script',
      description:
        'The script is the body of an asynchronous function, and what it returns must be JSON. A setting of the world must allow it, which is off at first, and the role of `userId` must be high enough for another. Modules refuse a script that would change their own settings, and whisper to the game masters what was run.',
      path: '/execute-js',
      scope: 'script:execute',
      effect: 'destroys',
      timeoutMs: 20_000,
      parameters: {
        script: Type.String({
          minLength: 1,
          maxLength: 262_144,
          place: 'body',
          unlogged: 'script',
          description: 'For example `return game.actors.getName("Ghoul").name`.',
        }),
      },
      secretAnswer: true,
      result: Type.Object({ success: Type.Boolean(), result: returned('What the script returned.') }),
      reasons,
      example: {
        parameters: { script: 'return 6 * 7' },
        result: { success: true, result: 42 },
      },
    }),
  },
} as const satisfies OperationGroup;
