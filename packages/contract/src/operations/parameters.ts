import { Type } from 'typebox';
import type { TSchema } from 'typebox';

/** Parameters and result fields that several operations share, said once. */

/** A schema, or null. */
export const nullable = <S extends TSchema>(schema: S, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });

export const maxClientIdLetters = 128;
export const maxUserIdLetters = 256;

/** Known to every operation and never sent on: the relay uses it to choose the client. */
export const clientIdParameter = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: maxClientIdLetters,
    description:
      'The world to act on. May be left out when the key is bound to one world, or when just one that the key may see is online.',
  }),
);

/** Known to every operation and sent on: the world applies that user's permissions. */
export const userIdParameter = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: maxUserIdLetters,
    description: 'Tabletop user id or user name to act as; without it the call has GM-level access.',
  }),
);

export const uuid = (description: string) => Type.String({ minLength: 1, maxLength: 1024, description });

export const name = (description: string) => Type.String({ minLength: 1, maxLength: 256, description });

export const actorUuid = uuid('Actor UUID, for example `Actor.mira`.');

export const actorName = name('Actor name, as it stands in the world.');

export const selected = Type.Boolean({
  description:
    'Use the actor of the token that is selected on the canvas. Where several actors are, `several_selected` names them.',
});

/** Codes that an operation that takes one of what is selected can be refused with. */
export const selectedReasons = ['nothing_selected', 'several_selected'] as const;

export const itemUuid = uuid('Item UUID, for example `Actor.mira.Item.wand`.');

export const itemName = name('Item name, as it stands on the actor.');

const advantage = Type.Optional(Type.Boolean({ description: 'Roll twice and keep the higher.' }));

export const createChatMessage = Type.Optional(
  Type.Boolean({
    default: true,
    aliases: ['chatMessage'],
    description: 'Post the roll to the world’s chat.',
  }),
);

export const rollOptions = {
  advantage,
  disadvantage: Type.Optional(Type.Boolean({ description: 'Roll twice and keep the lower.' })),
  bonus: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description: 'Extra bonus as a formula, for example `1d4` or `+2`.',
    }),
  ),
  createChatMessage,
};

export const deathSaveOptions = { advantage, createChatMessage };

/** The three are absent together where the rules system rolled nothing, because one of its hooks stopped it, say. */
export const rollResult = {
  total: Type.Optional(
    Type.Number({
      description: 'What was rolled, all bonuses included. Absent where the rules system rolled nothing.',
    }),
  ),
  formula: Type.Optional(Type.String({ description: 'The formula, for example `1d20 + 5`.' })),
  result: Type.Optional(Type.String({ description: 'The evaluated terms, for example `14 + 5`.' })),
};

/** An object of the tabletop whose fields are its own affair. */
export const document = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

export const userRecord = Type.Object({
  id: Type.String(),
  name: Type.String(),
  role: Type.Integer({ description: '0 none, 1 player, 2 trusted, 3 assistant GM, 4 GM.' }),
  isGM: Type.Boolean(),
  active: Type.Boolean({ description: 'Whether the user is in the world now.' }),
  color: nullable(Type.String({ description: 'Hex colour, `#rrggbb`.' })),
  avatar: nullable(Type.String({ description: 'Path of an image.' })),
});
