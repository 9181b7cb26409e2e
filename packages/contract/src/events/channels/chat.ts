import type { ChannelDefinition } from '../channel-definition.ts';

/** A deletion tells the message's id alone. */
const exempt = ['chat-delete'] as const;

export const chatChannel = {
  summary: 'Follow the chat',
  description: 'Whispers and hidden messages too: the module sends what a game master sees.',
  path: '/chat/subscribe',
  frame: 'chat-event',
  wire: 'chat-events',
  filters: {
    speaker: {
      type: 'text',
      description: 'Name or actor id of who speaks. Deletions pass all the same.',
      matches: ['data.speaker.alias', 'data.speaker.actor'],
      exempt,
    },
    chatType: {
      type: 'integer',
      description:
        'Kind of message: 0 other, 1 out of character, 2 in character, 3 emote, 4 whisper, 5 roll; as the tabletop counts them. Deletions pass all the same.',
      alias: 'type',
      matches: ['data.type', 'data.style'],
      exempt,
    },
    whisperOnly: {
      type: 'flag',
      description: 'Whispers alone, when it is true. Deletions pass all the same.',
      matches: ['data.whisper'],
      exempt,
    },
    userId: {
      type: 'text',
      description: 'Id or name of the user who wrote it. Deletions pass all the same.',
      matches: ['data.author.id', 'data.author.name'],
      exempt,
    },
  },
  named: { prefix: 'chat-', field: 'eventType' },
  events: {
    'chat-create': 'A message was posted.',
    'chat-update': 'A message changed.',
    'chat-delete': 'A message was deleted; its data is the id alone.',
  },
  data: { eventType: 'text', data: 'object' },
  repeated: 'flat',
  example: {
    eventType: 'create',
    data: {
      id: 'message-7',
      content: 'Behind the altar!',
      speaker: { alias: 'Mira', actor: 'mira' },
      author: { id: 'player-1', name: 'Ana' },
      type: 2,
      whisper: [],
    },
  },
} as const satisfies ChannelDefinition;
