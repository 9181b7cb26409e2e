import { Type } from 'typebox';
import { onWire } from '../operation-definition.ts';
import { nullable, uuid } from '../parameters.ts';

/** Parameters and result fields that the operations on encounters share. */

export const encounter = onWire(
  'encounterId',
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description: 'Id of the encounter; the current one when left out.',
    }),
  ),
);

export const encounterId = Type.String({ description: 'Id of the encounter.' });

export const tokenUuids = (description: string, options = {}) =>
  Type.Array(uuid('Token UUID, for example `Scene.chapel.Token.mira`.'), {
    place: 'body',
    byCommas: true,
    description,
    ...options,
  });

export const bodyFlag = (description: string) => Type.Optional(Type.Boolean({ place: 'body', description }));

export const position = {
  id: Type.String(),
  name: Type.Optional(Type.String()),
  round: Type.Integer({ description: '1 after the start; 0 before it.' }),
  turn: nullable(
    Type.Integer(),
    'Index into the turn order, which is by initiative; 0 after the start, null in round 0.',
  ),
};

export const reasons = ['encounter_not_found', 'permission_denied'] as const;
