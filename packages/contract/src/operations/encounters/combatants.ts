import { Type } from 'typebox';
import { command } from '../operation-definition.ts';
import type { OperationDefinitions } from '../operation-definition.ts';
import { bodyFlag, encounter, encounterId, reasons, tokenUuids } from './encounter.ts';

const tokenChoice = {
  encounter,
  uuids: Type.Optional(tokenUuids('The tokens, by UUID; may be empty with `selected`.')),
  selected: Type.Optional(Type.Boolean({ description: 'Use the tokens that are selected on the canvas.' })),
};

const failed = Type.Array(Type.Object({ uuid: Type.String(), reason: Type.String() }), {
  description: 'Tokens that could not be processed, and why.',
});

const tokenList = (description: string) => Type.Array(Type.String(), { description });

/** Adds tokens to an encounter and removes them. */
export const combatants = {
  'add-to-encounter': command({
    summary: 'Add tokens to an encounter',
    description:
      'A token that can’t be added is listed in `failed`; the others are added all the same. Today’s modules take an actor’s UUID too, for its first token on the scene in view, and with `rollInitiative` they roll for the whole encounter and answer before that has ended.',
    scope: 'encounter:manage',
    effect: 'adds',
    lessIsMore: true,
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
      'A token that can’t be removed is listed in `failed`; the others are removed all the same. Today’s modules find a token’s UUID only where the encounter belongs to the token’s scene. One that `start-encounter` made belongs to none: give the actor’s UUID there, or use `selected`.',
    scope: 'encounter:manage',
    effect: 'changes',
    lessIsMore: true,
    parameters: tokenChoice,
    needsOneOf: ['uuids', 'selected'],
    result: Type.Object({ encounterId, removed: tokenList('Token UUIDs that were removed.'), failed }),
    reasons,
    example: {
      parameters: { uuids: ['Scene.chapel.Token.ghoul-2'] },
      result: { encounterId: 'ambush', removed: ['Scene.chapel.Token.ghoul-2'], failed: [] },
    },
  }),
} as const satisfies OperationDefinitions;
