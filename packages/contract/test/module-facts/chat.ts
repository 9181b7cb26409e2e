import { orNull } from './module-fact.ts';
import type { ModuleFacts } from './module-fact.ts';

const message = {
  id: 'aBcDeFgHiJkLmNoP',
  uuid: 'ChatMessage.aBcDeFgHiJkLmNoP',
  content: '<p>The bell rings.</p>',
  speaker: { scene: null, actor: null, token: null, alias: 'Ada' },
  timestamp: 1760000000000,
  whisper: [],
  type: 0,
  author: orNull({ id: 'ada', name: 'Ada' }),
  flavor: '',
  isRoll: true,
  rolls: [
    {
      formula: '1d20 + 2',
      total: 17,
      isCritical: false,
      isFumble: false,
      dice: [{ faces: 20, results: [{ result: 15, active: true }] }],
    },
  ],
  flags: {},
};

export const chat = {
  'chat-messages': {
    http: 'GET /chat',
    timeoutS: 10,
    reads: 'limit? offset? chatType? speaker?',
    answer: {
      success: true,
      data: {
        messages: [message],
        total: 1,
        offset: 0,
        limit: 1,
      },
    },
    refusal: { success: false },
  },
  'chat-send': {
    http: 'POST /chat',
    timeoutS: 10,
    reads: 'content whisper? flavor? chatType? speaker? alias?',
    answer: {
      success: true,
      data: message,
    },
    refusal: { success: false },
  },
  'chat-delete': {
    http: 'DELETE /chat/{messageId}',
    timeoutS: 10,
    reads: 'messageId',
    answer: { success: true, data: { messageId: 'ambush-begins' } },
    refusal: { success: false },
  },
  'chat-flush': {
    http: 'DELETE /chat',
    timeoutS: 10,
    reads: '',
    answer: { success: true, data: { message: 'Chat log flushed' } },
    refusal: { success: false },
  },
} satisfies ModuleFacts;
