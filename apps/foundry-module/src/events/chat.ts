import { tellMessage } from '../operations/table/chat.ts';
import { tellRolled } from '../operations/table/rolls.ts';
import type { ChatMessage } from '../tabletop/documents.ts';
import type { HookRuns, Send } from './hook-runs.ts';
import { visibleTo } from './visible-to.ts';

export function chatHooks(send: Send<'chat'>): HookRuns {
  const tell = (eventType: string) => (message: ChatMessage) =>
    send(() => ({ eventType, data: tellMessage(message) }), visibleTo([message]));
  return {
    createChatMessage: tell('create'),
    updateChatMessage: tell('update'),
    deleteChatMessage: (message: ChatMessage) =>
      send(() => ({ eventType: 'delete', data: { id: message.id } }), visibleTo([message])),
  };
}

/** Each roll that a message holds, as the game master sees it. */
export function rollHooks(send: Send<'rolls'>): HookRuns {
  return {
    createChatMessage: (message: ChatMessage) => {
      for (const roll of message.rolls) {
        const rollTotal = roll.total;
        if (typeof rollTotal !== 'number') continue;
        send(() => ({ ...tellRolled(message, roll), rollTotal }), visibleTo([message]));
      }
    },
  };
}
