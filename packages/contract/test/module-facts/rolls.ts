import { orNull } from './module-fact.ts';
import type { ModuleFacts } from './module-fact.ts';

const rolled = {
  id: 'aBcDeFgHiJkLmNoP',
  messageId: 'aBcDeFgHiJkLmNoP',
  user: { id: 'ada', name: 'Ada' },
  speaker: { alias: 'Mira Thornwood' },
  flavor: 'Initiative',
  rollTotal: 17,
  formula: '1d20 + 2',
  isCritical: false,
  isFumble: false,
  dice: [{ faces: 20, results: [{ result: 15, active: true }] }],
  timestamp: 1760000000000,
};

export const rolls = {
  rolls: {
    http: 'GET /rolls',
    timeoutS: 10,
    reads: 'limit?',
    answer: {
      data: [rolled],
    },
  },
  'last-roll': {
    http: 'GET /lastroll',
    timeoutS: 10,
    reads: '',
    answer: {
      data: orNull(rolled),
    },
  },
  roll: {
    http: 'POST /roll',
    timeoutS: 10,
    reads: 'formula flavor? createChatMessage? speaker? whisper?',
    answer: {
      success: true,
      data: {
        id: 'aBcDeFgHiJkLmNoP',
        chatMessageCreated: true,
        roll: {
          formula: '2d6 + 3',
          total: 11,
          isCritical: false,
          isFumble: false,
          dice: [
            {
              faces: 6,
              results: [
                { result: 5, active: true },
                { result: 3, active: true },
              ],
            },
          ],
          timestamp: 1760000000000,
        },
      },
    },
    refusal: { success: false },
  },
} satisfies ModuleFacts;
