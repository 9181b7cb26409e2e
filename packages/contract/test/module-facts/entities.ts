import { open } from './module-fact.ts';
import type { ModuleFacts } from './module-fact.ts';

export const entities = {
  entity: {
    http: 'GET /get',
    timeoutS: 10,
    reads: 'uuid? selected? actor?',
    answer: {
      uuid: 'JournalEntry.rumours',
      data: open({ _id: 'rumours', uuid: 'JournalEntry.rumours', name: 'Rumours of the chapel' }, [
        { _id: 'rumours', uuid: 'JournalEntry.rumours', name: 'Rumours of the chapel' },
      ]),
    },
    refusal: { data: null, uuid: 'Actor.mira' },
  },
  create: {
    http: 'POST /create',
    timeoutS: 10,
    reads: 'entityType data folder? keepId? override? fullSync? _scopes?',
    answer: {
      uuid: 'JournalEntry.aBcDeFgHiJkLmNoP',
      entity: { _id: 'aBcDeFgHiJkLmNoP', name: 'The drowned bell' },
    },
    refusal: { message: 'It failed' },
  },
  update: {
    http: 'PUT /update',
    timeoutS: 10,
    reads: 'uuid? selected? actor? data _scopes?',
    answer: { uuid: 'Actor.mira', entity: [{ _id: 'mira', uuid: 'Actor.mira', name: 'Mira Thornwood' }] },
    refusal: { uuid: 'Actor.mira', message: 'It failed' },
  },
  delete: {
    http: 'DELETE /delete',
    timeoutS: 10,
    reads: 'uuid? selected? actor? _scopes?',
    answer: { uuid: 'JournalEntry.rumours', success: true },
    refusal: { uuid: 'Actor.mira', message: 'It failed' },
  },
  give: {
    http: 'POST /give',
    timeoutS: 10,
    reads: 'fromUuid? toUuid? selected? itemUuid? itemName? quantity?',
    answer: {
      fromUuid: 'Actor.mira',
      selected: false,
      toUuid: 'Actor.borin',
      quantity: 1,
      itemUuid: 'Actor.mira.Item.dagger',
      newItemId: 'aBcDeFgHiJkLmNoP',
      success: true,
    },
    refusal: {
      success: false,
      selected: false,
      fromUuid: 'Actor.mira',
      toUuid: 'Actor.borin',
      quantity: 1,
      itemUuid: 'Item.x',
    },
  },
  remove: {
    http: 'POST /remove',
    timeoutS: 10,
    reads: 'actorUuid? selected? itemUuid? itemName? quantity?',
    answer: { actorUuid: 'Actor.mira', itemUuid: 'Actor.mira.Item.spellbook', quantity: 1, success: true },
    refusal: { success: false },
  },
  increase: {
    http: 'POST /increase',
    timeoutS: 10,
    reads: 'uuid? selected? attribute amount',
    answer: {
      results: [{ uuid: 'Actor.mira', attribute: 'system.currency.gp', oldValue: 42, newValue: 47 }],
      success: true,
    },
    refusal: { success: false },
  },
  decrease: {
    http: 'POST /decrease',
    timeoutS: 10,
    reads: 'uuid? selected? attribute amount',
    answer: {
      results: [{ uuid: 'Actor.mira', attribute: 'system.attributes.hp.value', oldValue: 27, newValue: 20 }],
      success: true,
    },
    refusal: { success: false },
  },
  kill: {
    http: 'POST /kill',
    timeoutS: 10,
    reads: 'uuid? selected?',
    answer: { results: [{ uuid: 'Scene.chapel.Token.ghoul', success: true, message: 'Ghoul is dead' }] },
    refusal: { success: false },
  },
} satisfies ModuleFacts;
