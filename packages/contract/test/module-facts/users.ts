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
  character: orNull('Actor.borin'),
};

export const users = {
  'get-users': {
    http: 'GET /users',
    timeoutS: 10,
    reads: '',
    answer: {
      data: [user],
    },
    refusal: { data: null },
  },
  'get-user': {
    http: 'GET /user',
    timeoutS: 10,
    reads: 'id? name?',
    answer: {
      data: user,
    },
    refusal: { data: null },
  },
  'create-user': {
    http: 'POST /user',
    timeoutS: 10,
    reads: 'name role? password? character?',
    answer: {
      data: user,
    },
  },
  'update-user': {
    http: 'PUT /user',
    timeoutS: 10,
    reads: 'id? name? data',
    answer: {
      data: user,
    },
  },
  'delete-user': {
    http: 'DELETE /user',
    timeoutS: 10,
    reads: 'id? name?',
    answer: { success: true },
    refusal: { success: false },
  },
} satisfies ModuleFacts;
