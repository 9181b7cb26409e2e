import { messageDocument } from '../../events/chat-events.ts';
import type { ChatMessage, WorldState } from '../../state.ts';
import type { DocumentRoom } from './document-room.ts';
import { findIn } from './document-room.ts';
import type { FoundDocument } from '../stored-document.ts';

/** Chat messages. They are sent by the operations for the chat, and here read and deleted. */
export const chatRoom: DocumentRoom = {
  list: (state, parent) => (parent === null ? state.chat.map((message) => found(state, message)) : []),
  find: (state, uuid) => findIn(chatRoom.list(state, null), uuid),
  remove(tx, uuid) {
    tx.state = { ...tx.state, chat: tx.state.chat.filter(({ id }) => `ChatMessage.${id}` !== uuid) };
  },
};

function found(state: WorldState, message: ChatMessage): FoundDocument {
  const { id: _id, ...data } = messageDocument(message, state);
  return { kind: 'ChatMessage', uuid: `ChatMessage.${message.id}`, parent: null, data: { _id, ...data } };
}
