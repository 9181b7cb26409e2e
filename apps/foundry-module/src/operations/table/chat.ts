import { tabletop } from '../../tabletop/foundry.ts';
import type { ChatMessage } from '../../tabletop/documents.ts';
import { assertMaster, findUser, notFound } from '../acting.ts';
import type { ActingUser } from '../acting.ts';
import { vetoed } from '../call.ts';
import type { SomeHandlers } from '../call.ts';
import { cleanHtml } from '../guards/html.ts';
import { assertChange, maySee } from '../permissions.ts';
import { tellRoll } from './told-roll.ts';
import { speakerOf } from './speaker.ts';

/** The kinds of messages that a person may send. */
const styles: Readonly<Record<string, number>> = { other: 0, ooc: 1, ic: 2, emote: 3 };
/** What callers know of earlier tabletops: these two are told by what a message holds. */
const whisperStyle = 4;
const rollStyle = 5;

export const chat = {
  'chat-messages'({ limit = 50, offset = 0, chatType, speaker }, { user }) {
    const messages = tabletop.game.messages.contents
      .filter(
        (message) =>
          maySee(user, message) &&
          (chatType === undefined || isOfType(message, chatType)) &&
          (speaker === undefined || aliasOf(message).toLowerCase() === speaker.toLowerCase()),
      )
      .toReversed();
    const page = messages.slice(offset, offset + limit);
    return {
      success: true,
      data: { messages: page.map(tellMessage), total: messages.length, offset, limit },
    };
  },

  async 'chat-send'({ content, whisper = [], flavor, chatType, speaker, alias }, { user }) {
    const to = whisper.map((one) => findUser(one).id);
    const spoken = await speakerOf(user, { speaker, alias });
    const message = await tabletop.ChatMessage.create({
      content: cleanHtml(content),
      flavor: flavor === undefined ? '' : cleanHtml(flavor),
      speaker: spoken,
      style: styleOf(chatType ?? (speaker === undefined ? 'ooc' : 'ic')),
      whisper: to,
      ...(user && { author: user.id }),
    });
    if (!message) throw vetoed('The message');
    return { success: true, data: tellMessage(message) };
  },

  async 'chat-delete'({ messageId }, { user }) {
    const message = tabletop.game.messages.get(messageId);
    if (!message) throw notFound('message', messageId);
    assertMessage(user, message);
    await message.delete();
    return { success: true, data: { messageId } };
  },

  async 'chat-flush'(_parameters, { user }) {
    assertMaster(user, 'delete the chat');
    // Not by the log's own button, which asks a person first.
    const { messages } = tabletop.game;
    const ids = messages.map(({ id }) => id);
    if (ids.length > 0) await messages.documentClass.deleteDocuments(ids);
    return { success: true, data: { message: 'The chat was deleted' } };
  },
} satisfies SomeHandlers;

function assertMessage(user: ActingUser, message: ChatMessage): void {
  assertChange(user, message, 'delete');
}

/** A message as callers and events tell it. */
export function tellMessage(message: ChatMessage) {
  const { id, uuid, content, speaker, timestamp, whisper, author, flavor, isRoll, rolls } = message;
  return {
    id,
    uuid,
    content,
    speaker: { ...speaker },
    timestamp,
    whisper: [...whisper],
    type: typeOf(message),
    author: author ? { id: author.id, name: author.name } : null,
    flavor,
    isRoll,
    rolls: rolls.map((roll) => ({ ...tellRoll(roll), total: roll.total ?? null })),
    flags: (message.toObject()['flags'] as Record<string, unknown> | undefined) ?? {},
  };
}

function typeOf({ style, isRoll, whisper }: ChatMessage): number {
  if (isRoll) return rollStyle;
  return whisper.length > 0 && style === styles['other'] ? whisperStyle : style;
}

const aliasOf = ({ speaker, author }: ChatMessage): string => speaker.alias ?? author?.name ?? '';

function isOfType(message: ChatMessage, type: number | string): boolean {
  if (type === 'roll' || String(type) === String(rollStyle)) return message.isRoll;
  if (type === 'whisper' || String(type) === String(whisperStyle)) return message.whisper.length > 0;
  return message.style === styleOf(type);
}

function styleOf(type: number | string): number {
  const style = typeof type === 'number' ? type : (styles[type] ?? Number(type));
  return Number.isInteger(style) && style >= 0 && style < whisperStyle ? style : 0;
}
