import { Type } from 'typebox';
import { command } from '../operation-definition.ts';
import type { OperationDefinitions } from '../operation-definition.ts';
import { changeReasons, identifiedBy, scopesForKind, target, targetReasons } from './target.ts';

const step = {
  ...target,
  attribute: Type.String({
    minLength: 1,
    maxLength: 256,
    description: 'Dotted path of a number, for example `system.attributes.hp.value`.',
  }),
  amount: Type.Number({ description: 'By how much. The module holds the value to no bounds.' }),
};

const stepResult = Type.Object({
  results: Type.Array(
    Type.Object({
      uuid: Type.String(),
      attribute: Type.String(),
      oldValue: Type.Number(),
      newValue: Type.Number({
        description: 'As it was asked for; the system may hold it to its own bounds.',
      }),
    }),
  ),
  success: Type.Boolean(),
});

export const attributes = {
  increase: command({
    summary: 'Add to a number of a document',
    scope: 'entity:write',
    effect: 'changes',
    // A user's role is a number too.
    scopesFor: scopesForKind,
    parameters: step,
    identifiedBy,
    result: stepResult,
    reasons: changeReasons,
    example: {
      parameters: { uuid: 'Actor.mira', attribute: 'system.currency.gp', amount: 5 },
      result: {
        results: [{ uuid: 'Actor.mira', attribute: 'system.currency.gp', oldValue: 42, newValue: 47 }],
        success: true,
      },
    },
  }),
  decrease: command({
    summary: 'Take from a number of a document',
    scope: 'entity:write',
    effect: 'changes',
    scopesFor: scopesForKind,
    parameters: step,
    identifiedBy,
    result: stepResult,
    reasons: changeReasons,
    example: {
      parameters: { uuid: 'Actor.mira', attribute: 'system.attributes.hp.value', amount: 7 },
      result: {
        results: [
          { uuid: 'Actor.mira', attribute: 'system.attributes.hp.value', oldValue: 27, newValue: 20 },
        ],
        success: true,
      },
    },
  }),
  kill: command({
    summary: 'Mark creatures as dead',
    description:
      'Sets hit points to 0, marks the token as dead and the combatant as defeated. Takes a token or an actor.',
    scope: 'entity:write',
    effect: 'changes',
    lessIsMore: true,
    parameters: target,
    identifiedBy,
    result: Type.Object({
      results: Type.Array(
        Type.Object({ uuid: Type.String(), success: Type.Boolean(), message: Type.String() }),
      ),
    }),
    reasons: targetReasons,
    example: {
      parameters: { uuid: 'Scene.chapel.Token.ghoul' },
      result: {
        results: [{ uuid: 'Scene.chapel.Token.ghoul', success: true, message: 'Ghoul is dead' }],
      },
    },
  }),
} as const satisfies OperationDefinitions;
