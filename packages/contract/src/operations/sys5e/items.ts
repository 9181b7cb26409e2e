import { Type } from 'typebox';
import { command } from '../operation-definition.ts';
import type { OperationDefinitions } from '../operation-definition.ts';
import { actorName, actorUuid, itemName, itemUuid, name, uuid } from '../parameters.ts';

const item = { itemUuid: Type.Optional(itemUuid), itemName: Type.Optional(itemName) };

const actorAndItem = {
  actorUuid: Type.Optional(actorUuid),
  actorName: Type.Optional(actorName),
  ...item,
};

const changedItem = { actorUuid: Type.String(), itemUuid: Type.String(), itemName: Type.String() };

const reasons = ['entity_not_found', 'permission_denied'] as const;

/** The coins of the rules, the most valuable first. */
const denominations = ['pp', 'gp', 'ep', 'sp', 'cp'] as const;

const coins = <T>(schema: T) => ({ pp: schema, gp: schema, ep: schema, sp: schema, cp: schema });

const amounts = Type.Object(coins(Type.Optional(Type.Integer({ minimum: 0 }))), {
  additionalProperties: false,
  anyOf: denominations.map((coin) => ({
    required: [coin],
    properties: { [coin]: { exclusiveMinimum: 0 } },
  })),
  description: 'coins by denomination, at least one above 0',
});

const balance = Type.Object(coins(Type.Number()));

export const items = {
  'modify-item-charges': command({
    summary: 'Add or spend an item’s charges',
    description:
      'They stay between 0 and the item’s maximum. Today’s modules write all data of the item back, so what another changes in it meanwhile is lost.',
    scope: 'sys5e:write',
    effect: 'changes',
    parameters: {
      actorUuid,
      ...item,
      amount: Type.Number({ description: 'Charges to add; negative to spend.' }),
    },
    identifiedBy: [['itemUuid', 'itemName']],
    result: Type.Object({
      data: Type.Object({ itemUuid: Type.String(), oldCharges: Type.Number(), newCharges: Type.Number() }),
    }),
    reasons: [...reasons, 'no_charges'],
    example: {
      parameters: { actorUuid: 'Actor.mira', itemName: 'Wand of Magic Missiles', amount: -1 },
      result: { data: { itemUuid: 'Actor.mira.Item.wand', oldCharges: 7, newCharges: 6 } },
    },
  }),
  'equip-item': command({
    summary: 'Equip or stow an item',
    scope: 'sys5e:write',
    effect: 'changes',
    parameters: {
      ...actorAndItem,
      equipped: Type.Boolean({ description: 'True to equip, false to stow.' }),
    },
    identifiedBy: [
      ['actorUuid', 'actorName'],
      ['itemUuid', 'itemName'],
    ],
    result: Type.Object({ data: Type.Object({ ...changedItem, equipped: Type.Boolean() }) }),
    reasons,
    example: {
      parameters: { actorUuid: 'Actor.theron', itemName: 'Longsword', equipped: true },
      result: {
        data: {
          actorUuid: 'Actor.theron',
          itemUuid: 'Actor.theron.Item.longsword',
          itemName: 'Longsword',
          equipped: true,
        },
      },
    },
  }),
  'attune-item': command({
    summary: 'Attune an item or end its attunement',
    scope: 'sys5e:write',
    effect: 'changes',
    parameters: {
      ...actorAndItem,
      attuned: Type.Boolean({ description: 'True to attune, false to end it.' }),
    },
    identifiedBy: [
      ['actorUuid', 'actorName'],
      ['itemUuid', 'itemName'],
    ],
    result: Type.Object({ data: Type.Object({ ...changedItem, attuned: Type.Boolean() }) }),
    reasons: [...reasons, 'attunement_limit', 'not_attunable'],
    example: {
      parameters: { actorUuid: 'Actor.mira', itemName: 'Ring of Protection', attuned: true },
      result: {
        data: {
          actorUuid: 'Actor.mira',
          itemUuid: 'Actor.mira.Item.ring-of-protection',
          itemName: 'Ring of Protection',
          attuned: true,
        },
      },
    },
  }),
  'transfer-currency': command({
    summary: 'Give coins from one actor to another',
    description:
      'The source’s funds are checked first; when they do not suffice nothing changes. Today’s modules write the two actors one after the other, so a world that is closed in between may keep one half.',
    scope: 'sys5e:write',
    effect: 'changes',
    parameters: {
      sourceActorUuid: Type.Optional(uuid('UUID of the actor who gives.')),
      sourceActorName: Type.Optional(name('Name of the actor who gives.')),
      targetActorUuid: Type.Optional(uuid('UUID of the actor who receives.')),
      targetActorName: Type.Optional(name('Name of the actor who receives.')),
      currency: amounts,
    },
    identifiedBy: [
      ['sourceActorUuid', 'sourceActorName'],
      ['targetActorUuid', 'targetActorName'],
    ],
    result: Type.Object({
      data: Type.Object({
        sourceActorUuid: Type.String(),
        targetActorUuid: Type.String(),
        transferred: Type.Object(coins(Type.Optional(Type.Number()))),
        sourceBalance: balance,
        targetBalance: balance,
      }),
    }),
    reasons: [...reasons, 'insufficient_funds', 'same_actor'],
    example: {
      parameters: { sourceActorUuid: 'Actor.mira', targetActorUuid: 'Actor.sable', currency: { gp: 5 } },
      result: {
        data: {
          sourceActorUuid: 'Actor.mira',
          targetActorUuid: 'Actor.sable',
          transferred: { gp: 5 },
          sourceBalance: { pp: 0, gp: 37, ep: 0, sp: 12, cp: 4 },
          targetBalance: { pp: 1, gp: 23, ep: 0, sp: 30, cp: 8 },
        },
      },
    },
  }),
} as const satisfies OperationDefinitions;
