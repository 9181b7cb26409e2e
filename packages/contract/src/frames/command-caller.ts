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
    via: Type.Enum(['http', 'module'], { description: 'The way that the call came.' }),
  },
  { description: 'Who asks. Only where the module declares `wantsCaller`.' },
);

/** Stands in commands. */
export const commandCaller = Type.Optional(CommandCaller);

export type CommandCaller = Static<typeof CommandCaller>;
