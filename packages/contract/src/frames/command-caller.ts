import { Type } from 'typebox';
import type { Static } from 'typebox';

/** `key`: a program with a key. `masterKey`: whoever has the account's master key. `world`: the module of another world. */
export const callerKinds = ['key', 'masterKey', 'world'] as const;
export type CallerKind = (typeof callerKinds)[number];

const CommandCaller = Type.Object(
  {
    id: Type.String({
      maxLength: 64,
      description:
        'A pseudonym: one key has one id in one world. Two worlds cannot tell by it that they have the same caller. It changes with the relay’s secret.',
    }),
    name: Type.String({
      maxLength: 60,
      description:
        'What the account calls the key, or the browser of the other world: plain text. Anybody may choose any: decide nothing by it.',
    }),
    kind: Type.Enum([...callerKinds], {
      description:
        '`key`: a program with a key. `masterKey`: whoever has the account’s master key. `world`: another world’s module.',
    }),
    via: Type.Enum(['http', 'mcp', 'module'], {
      description: 'The way that the call came: `mcp` from an assistant, `module` from another world.',
    }),
  },
  { description: 'Who asks. Only where the module declares `wantsCaller`.' },
);

/** Stands in commands. */
export const commandCaller = Type.Optional(CommandCaller);

export type CommandCaller = Static<typeof CommandCaller>;

const CommandIdempotency = Type.Object(
  {
    key: Type.String({
      maxLength: 64,
      description:
        'Two commands with one key are one command, whatever their `requestId`: of one caller, one operation, user and parameters.',
    }),
    reservedAt: Type.Number({
      description:
        'When the relay took the first of them, in ms of its own clock: one key has one such time. Compare it with those of other commands alone. A key whose time is an hour later is a new one.',
    }),
    isRepeat: Type.Boolean({
      description:
        'The first one was sent to this memory and its outcome is not known. Carry it out only if you know that it never came.',
    }),
  },
  {
    description:
      'Only where the module declares `remembers`, and the caller gave the command an `Idempotency-Key`.',
  },
);

/** Stands in commands. */
export const commandIdempotency = Type.Optional(CommandIdempotency);

export type CommandIdempotency = Static<typeof CommandIdempotency>;
