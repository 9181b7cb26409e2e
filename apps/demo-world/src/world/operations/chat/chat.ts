import type { Document } from '../../document.ts';
import { idOf } from '../../documents.ts';
import { speakerOf as documentOfSpeaker } from '../../events/chat-events.ts';
import type { ChatMessage } from '../../state.ts';
import { deleteDocument } from '../../store/change-documents.ts';
import { documentsOf, knownDocument } from '../../store/find-documents.ts';
import { assertSpace } from '../../store/limits.ts';
import { assertLevel, levelOf, levels } from '../../store/permissions.ts';
import type { Transaction } from '../../transaction.ts';
import { gameMaster, post } from '../../transaction.ts';
import { assertGm, findOwnActor, findTarget, findUser } from '../find.ts';
import type { OperationHandlers } from '../handler.ts';
import { plainText } from './plain-text.ts';
import { rollOf } from './told-roll.ts';

const styles: Readonly<Record<string, number>> = { other: 0, ooc: 1, ic: 2, emote: 3 };

export const chat: OperationHandlers<'chat-messages' | 'chat-send' | 'chat-delete' | 'chat-flush'> = {
  'chat-messages'(tx, { limit = 50, offset = 0, chatType, speaker }) {
    const messages = visibleMessages(tx).filter(
      (message) =>
        (chatType === undefined || isOfType(message, chatType)) &&
        (speaker === undefined || message.speaker.toLowerCase() === speaker.toLowerCase()),
    );
    const page = messages.toReversed().slice(offset, offset + limit);
    return {
      success: true,
      data: { messages: page.map((one) => told(tx, one)), total: messages.length, offset, limit },
    };
  },

  'chat-send'(tx, { content, whisper = [], flavor, chatType, speaker, alias }) {
    const { name, uuid } = speakerOf(tx, { speaker, alias });
    const id = post(tx, {
      speaker: name,
      title: flavor ?? (whisper.length > 0 ? 'whispers' : 'says'),
      text: plainText(content),
      content,
      whisper: whisper.map((user) => findUser(tx.state, user).id),
      style: styleOf(chatType ?? (uuid === undefined ? 'ooc' : 'ic')),
      ...(uuid !== undefined && { speakerUuid: uuid }),
    });
    assertSpace(tx.state);
    return {
      success: true,
      data: told(
        tx,
        tx.state.chat.find((one) => one.id === id)!,
      ),
    };
  },

  'chat-delete'(tx, { messageId }) {
    const message = knownDocument(tx.state, `ChatMessage.${messageId}`);
    assertLevel(tx, message, levels.owner, 'delete');
    deleteDocument(tx, message);
    return { success: true, data: { messageId } };
  },

  'chat-flush'(tx) {
    assertGm(tx, 'delete the chat');
    tx.state = { ...tx.state, chat: [] };
    return { success: true, data: { message: 'The chat was deleted' } };
  },
};

/** Chat messages that the acting user may see, oldest first. */
export function visibleMessages(tx: Transaction): ChatMessage[] {
  const seen = documentsOf(tx.state, 'ChatMessage')
    .filter((message) => levelOf(tx.state, tx.user, message) > levels.none)
    .map(({ uuid }) => idOf(uuid));
  const ids = new Set(seen);
  return tx.state.chat.filter(({ id }) => ids.has(id));
}

/** In whose name somebody speaks: a token's or an actor's that is theirs, a name, or their own. */
export function speakerOf(
  tx: Transaction,
  { speaker, alias }: { speaker?: string | undefined; alias?: string | undefined },
): { name: string; uuid?: string } {
  if (speaker === undefined) return { name: alias ?? (tx.user ?? gameMaster(tx.state)).name };
  const { uuid: actorUuid } = findTarget(tx.state, { targetUuid: speaker })!;
  const own = findOwnActor(tx, { actorUuid });
  return { name: alias ?? own.name, uuid: speaker };
}

function told({ state }: Transaction, message: ChatMessage) {
  const { id, text, title, speakerUuid, timestamp, whisper = [], style = 0 } = message;
  const { id: authorId, name } = message.author;
  const about: Document = {
    ...documentOfSpeaker(message, state),
    ...(speakerUuid !== undefined && { uuid: speakerUuid }),
  };
  return {
    id,
    uuid: `ChatMessage.${id}`,
    content: message.content ?? text ?? '',
    speaker: about,
    timestamp,
    whisper: [...whisper],
    type: style,
    author: state.users.some((user) => user.id === authorId) ? { id: authorId, name } : null,
    flavor: title,
    isRoll: message.roll !== undefined,
    rolls: message.roll ? [rollOf(message.roll)] : [],
    flags: {},
  };
}

function isOfType({ roll, style = 0 }: ChatMessage, type: number | string): boolean {
  if (type === 'roll' || String(type) === '5') return roll !== undefined;
  return style === styleOf(type);
}

function styleOf(type: number | string): number {
  const style = typeof type === 'number' ? type : (styles[type] ?? Number(type));
  return Number.isInteger(style) && style >= 0 && style <= 5 ? style : 0;
}
