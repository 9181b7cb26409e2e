import { Type } from 'typebox';
import { command } from '../operation-definition.ts';
import type { OperationDefinitions } from '../operation-definition.ts';
import { itemName, itemUuid, selected, uuid } from '../parameters.ts';
import { changeReasons } from './target.ts';

const item = { itemUuid: Type.Optional(itemUuid), itemName: Type.Optional(itemName) };

const quantity = (description: string) => Type.Optional(Type.Integer({ minimum: 1, description }));

const reasons = [...changeReasons, 'several_selected', 'not_enough'] as const;

export const handingOver = {
  give: command({
    summary: 'Give an item to an actor',
    description:
      'From another actor the item moves; without `fromUuid` it is copied. An item that is named and has no `fromUuid` is looked for in the world and its compendiums.',
    scope: 'entity:write',
    effect: 'changes',
    lessIsMore: true,
    parameters: {
      fromUuid: Type.Optional(uuid('UUID of the actor that gives.')),
      toUuid: Type.Optional(uuid('UUID of the actor that receives.')),
      selected: Type.Optional(selected),
      ...item,
      quantity: quantity('How many; the whole stack when left out.'),
    },
    identifiedBy: [
      ['toUuid', 'selected'],
      ['itemUuid', 'itemName'],
    ],
    result: Type.Object({
      fromUuid: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      selected: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
      toUuid: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      quantity: Type.Optional(
        Type.Union([Type.Number(), Type.Null()], { description: 'How many the receiver has now.' }),
      ),
      itemUuid: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      newItemId: Type.Optional(Type.String({ description: 'Id of the item on the receiver.' })),
      success: Type.Boolean(),
    }),
    reasons: [...reasons, 'same_actor'],
    example: {
      parameters: { fromUuid: 'Actor.mira', toUuid: 'Actor.borin', itemName: 'Dagger' },
      result: {
        fromUuid: 'Actor.mira',
        toUuid: 'Actor.borin',
        quantity: 1,
        itemUuid: 'Actor.mira.Item.dagger',
        newItemId: 'aBcDeFgHiJkLmNoP',
        success: true,
      },
    },
  }),
  remove: command({
    summary: 'Take an item away from an actor',
    scope: 'entity:write',
    effect: 'destroys',
    lessIsMore: true,
    parameters: {
      actorUuid: Type.Optional(uuid('Actor UUID, for example `Actor.mira`.')),
      selected: Type.Optional(selected),
      ...item,
      quantity: quantity('How many; the item is deleted when left out.'),
    },
    identifiedBy: [
      ['actorUuid', 'selected'],
      ['itemUuid', 'itemName'],
    ],
    result: Type.Object({
      actorUuid: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      itemUuid: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      quantity: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
      success: Type.Boolean(),
    }),
    reasons,
    example: {
      parameters: { actorUuid: 'Actor.mira', itemName: 'Spellbook' },
      result: { actorUuid: 'Actor.mira', itemUuid: 'Actor.mira.Item.spellbook', quantity: 1, success: true },
    },
  }),
} as const satisfies OperationDefinitions;
