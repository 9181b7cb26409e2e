import { orNull } from './module-fact.ts';
import type { ModuleFacts } from './module-fact.ts';

const user = {
  id: 'ben',
  name: 'Ben',
  role: 1,
  isGM: false,
  active: true,
  color: orNull('#4f7cac'),
  avatar: orNull('avatars/ben.svg'),
};

export const utility = {
  select: {
    http: 'POST /select',
    timeoutS: 10,
    reads: 'uuids? name? data? all? overwrite?',
    answer: { success: true, count: 1, message: '1 token selected', selected: ['Scene.chapel.Token.mira'] },
    refusal: { success: false },
  },
  selected: {
    http: 'GET /selected',
    timeoutS: 10,
    reads: '',
    answer: {
      success: true,
      selected: [{ tokenUuid: 'Scene.chapel.Token.mira', actorUuid: orNull('Actor.mira') }],
    },
    refusal: { success: false },
  },
  players: {
    http: 'GET /players',
    timeoutS: 10,
    reads: '',
    answer: {
      users: [user],
    },
    refusal: { users: [] },
  },
  'world-info': {
    http: 'GET /world-info',
    timeoutS: 10,
    reads: '',
    answer: {
      data: {
        world: { id: 'sunken-chapel', title: 'The Sunken Chapel' },
        system: { id: 'dnd5e', title: 'Fifth Edition', version: '5.1.0' },
        foundryVersion: '13.348',
        modules: [{ id: 'tabletop-relay', title: 'Tabletop Relay', version: '0.1.0', active: true }],
        users: [user],
        activeScene: orNull({ id: 'chapel', name: 'The Sunken Chapel' }),
      },
    },
  },
} satisfies ModuleFacts;
