import type { EventData } from '@tabletop-relay/module-sdk';
import type { Document } from '../document.ts';
import { idOf } from '../documents.ts';
import type { ChatMessage, DieRoll, WorldState } from '../state.ts';
import { chatLength } from '../transaction.ts';
import type { Change } from './changes.ts';
import { changedThings } from './changes.ts';

/** As tabletops count the kinds of messages. */
const kinds = { other: 0, outOfCharacter: 1, roll: 5 } as const;

/** Events of the chat channel for one step. */
export function chatEvents(before: WorldState, after: WorldState): EventData<'chat'>[] {
  return changedMessages(before, after).map((change) => {
    if (!change.after) return { eventType: 'delete', data: { id: change.before?.id } };
    return { eventType: change.before ? 'update' : 'create', data: messageDocument(change.after, after) };
  });
}

/** Events of the rolls channel for one step. */
export function rollEvents(before: WorldState, after: WorldState): EventData<'rolls'>[] {
  return changedMessages(before, after).flatMap(({ before: old, after: message }) => {
    if (old || !message?.roll) return [];
    const { id, roll, author, title, timestamp } = message;
    return [
      {
        id,
        messageId: id,
        user: author,
        speaker: speakerOf(message, after),
        flavor: title,
        rollTotal: roll.total,
        formula: roll.formula,
        isCritical: roll.outcome === 'critical',
        isFumble: roll.outcome === 'fumble',
        dice: roll.dice.map(dieDocument),
        timestamp,
      },
    ];
  });
}

/** The messages that came, changed or were deleted. The oldest of a full chat are not deleted but forgotten. */
export function changedMessages(before: WorldState, after: WorldState): Change<ChatMessage>[] {
  const [oldest] = after.chat;
  const start = after.chat.length < chatLength ? 0 : before.chat.findIndex(({ id }) => id === oldest?.id);
  // None of the old ones is left: the chat was filled anew within one step.
  const kept = start === -1 ? [] : before.chat.slice(start);
  if (before.chat === after.chat) return [];
  return changedThings(kept, after.chat, ({ id }) => id);
}

/** A chat message as a tabletop stores it. */
export function messageDocument(message: ChatMessage, state: WorldState): Document {
  const { id, timestamp, title, text = '', content, whisper = [], style, roll, author } = message;
  return {
    id,
    uuid: `ChatMessage.${id}`,
    timestamp,
    author,
    speaker: speakerOf(message, state),
    flavor: title,
    content: content ?? text,
    type: roll ? kinds.roll : (style ?? (title === 'says' ? kinds.outOfCharacter : kinds.other)),
    whisper: [...whisper],
    isRoll: roll !== undefined,
    rolls: roll
      ? [
          {
            formula: roll.formula,
            total: roll.total,
            isCritical: roll.outcome === 'critical',
            isFumble: roll.outcome === 'fumble',
            dice: roll.dice.map(dieDocument),
          },
        ]
      : [],
    flags: {},
  };
}

/** In whose name a message was sent: a name, and the ids of the actor and of the token on its scene where they are known. */
export function speakerOf(
  { speaker, speakerUuid = '' }: Pick<ChatMessage, 'speaker' | 'speakerUuid'>,
  { actors, scenes }: WorldState,
): Document {
  const scene = scenes.find(({ tokens }) => tokens.some(({ uuid }) => uuid === speakerUuid));
  const token = scene?.tokens.find(({ uuid }) => uuid === speakerUuid);
  const wanted = token?.actorUuid ?? speakerUuid;
  const actor = actors.find(({ uuid }) => uuid === wanted) ?? actors.find(({ name }) => name === speaker);
  return {
    scene: scene?.id ?? null,
    token: token ? idOf(token.uuid) : null,
    actor: actor ? idOf(actor.uuid) : null,
    alias: speaker,
  };
}

const dieDocument = ({ faces, results }: DieRoll): Document => ({
  faces,
  results: results.map(({ value, kept }) => ({ result: value, active: kept })),
});
