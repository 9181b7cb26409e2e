import { Type } from 'typebox';
import { command, query } from '../operation-definition.ts';
import type { OperationGroup } from '../operation-definition.ts';
import { document, nullable, uuid } from '../parameters.ts';

const flag = Type.Optional(nullable(Type.Boolean()));

const roll = Type.Object({
  formula: Type.Optional(nullable(Type.String())),
  total: Type.Optional(nullable(Type.Number())),
  isCritical: flag,
  isFumble: flag,
  dice: Type.Optional(Type.Array(Type.Unknown())),
});

const message = Type.Object({
  id: Type.String(),
  uuid: Type.String(),
  content: Type.String({ description: 'HTML.' }),
  speaker: Type.Optional(
    nullable(document('In whose name it was sent: `alias`, `actor`, `token`, `scene`.')),
  ),
  timestamp: Type.Number({ description: 'Epoch milliseconds.' }),
  whisper: Type.Array(Type.String(), { description: 'Ids of the users who alone see it.' }),
  type: Type.Optional(Type.Unknown({ description: 'Its style: a number, or a name.' })),
  author: Type.Optional(
    nullable(Type.Object({ id: Type.String(), name: Type.String() }), 'Null for a user who is gone.'),
  ),
  flavor: Type.Optional(nullable(Type.String())),
  isRoll: Type.Optional(Type.Boolean()),
  rolls: Type.Optional(Type.Array(roll)),
  flags: Type.Optional(nullable(document('What modules keep with it.'))),
});

const chatType = (description: string) =>
  Type.Optional(
    Type.Union([Type.Integer({ minimum: 0, maximum: 5 }), Type.String({ minLength: 1, maxLength: 64 })], {
      description,
    }),
  );

const hello = {
  id: 'aBcDeFgHiJkLmNoP',
  uuid: 'ChatMessage.aBcDeFgHiJkLmNoP',
  content: '<p>The bell rings.</p>',
  speaker: { alias: 'Ada' },
  timestamp: 1_760_000_000_000,
  whisper: [],
  type: 1,
  author: { id: 'ada', name: 'Ada' },
  flavor: '',
  isRoll: false,
  rolls: [],
  flags: {},
};

export const chat = {
  name: 'chat',
  title: 'Chat',
  prefix: '/chat',
  definitions: {
    'chat-messages': query({
      summary: 'Read the chat',
      description:
        'Newest first. Whispers are seen by their author, their recipients and game masters. Messages hold HTML of any length, so a page of many can have megabytes: ask for fewer, and use `offset`.',
      path: '/chat',
      scope: 'chat:read',
      parameters: {
        limit: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 500,
            default: 50,
            cut: true,
            description: 'How many at most; more count as 500.',
          }),
        ),
        offset: Type.Optional(
          Type.Integer({ minimum: 0, default: 0, description: 'How many of the newest to leave out.' }),
        ),
        chatType: chatType(
          'Only messages of this style: its number, or `other`, `ooc`, `ic`, `emote`, `roll`.',
        ),
        speaker: Type.Optional(
          Type.String({ minLength: 1, maxLength: 256, description: 'Only what was sent under this alias.' }),
        ),
      },
      result: Type.Object({
        success: Type.Boolean(),
        data: Type.Object({
          messages: Type.Array(message),
          total: Type.Integer({ description: 'How many there are in all.' }),
          offset: Type.Integer(),
          limit: Type.Integer(),
        }),
      }),
      example: {
        parameters: { limit: 1 },
        result: { success: true, data: { messages: [hello], total: 1, offset: 0, limit: 1 } },
      },
    }),
    'chat-send': command({
      summary: 'Send a chat message',
      path: '/chat',
      scope: 'chat:write',
      effect: 'adds',
      lessIsMore: true,
      parameters: {
        content: Type.String({ minLength: 1, maxLength: 65_536, description: 'HTML. The world cleans it.' }),
        whisper: Type.Optional(
          Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
            maxItems: 100,
            description: 'Ids or names of the users who alone see it.',
          }),
        ),
        flavor: Type.Optional(Type.String({ maxLength: 1024, description: 'A line above the message.' })),
        chatType: chatType('Its style: a number, or `other`, `ooc`, `ic`, `emote`.'),
        speaker: Type.Optional(uuid('UUID of the token or actor in whose name it is sent.')),
        alias: Type.Optional(
          Type.String({ minLength: 1, maxLength: 256, description: 'The name that it is sent under.' }),
        ),
      },
      result: Type.Object({ success: Type.Boolean(), data: message }),
      reasons: ['entity_not_found', 'permission_denied', 'world_full'],
      example: {
        parameters: { content: '<p>The bell rings.</p>' },
        result: { success: true, data: hello },
      },
    }),
    'chat-delete': command({
      summary: 'Delete a chat message',
      method: 'DELETE',
      path: '/chat/:messageId',
      scope: 'chat:write',
      effect: 'destroys',
      parameters: {
        messageId: Type.String({ minLength: 1, maxLength: 256, description: 'Id of the message.' }),
      },
      result: Type.Object({ success: Type.Boolean(), data: Type.Object({ messageId: Type.String() }) }),
      reasons: ['entity_not_found', 'permission_denied'],
      example: {
        parameters: { messageId: 'ambush-begins' },
        result: { success: true, data: { messageId: 'ambush-begins' } },
      },
    }),
    'chat-flush': command({
      summary: 'Delete the whole chat',
      method: 'DELETE',
      path: '/chat',
      scope: 'chat:write',
      effect: 'destroys',
      parameters: {},
      result: Type.Object({ success: Type.Boolean(), data: Type.Object({ message: Type.String() }) }),
      reasons: ['permission_denied'],
      example: {
        parameters: {},
        result: { success: true, data: { message: 'Chat log flushed' } },
      },
    }),
  },
} as const satisfies OperationGroup;
