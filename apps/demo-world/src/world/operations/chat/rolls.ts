import { speakerOf as documentOfSpeaker } from '../../events/chat-events.ts';
import { createId } from '../../rules/rolls/random.ts';
import { rollNotation } from '../../rules/rolls/notation.ts';
import type { ChatMessage } from '../../state.ts';
import type { Transaction } from '../../transaction.ts';
import { post } from '../../transaction.ts';
import { findUser } from '../find.ts';
import type { OperationHandlers } from '../handler.ts';
import { speakerOf, visibleMessages } from './chat.ts';
import { rollOf } from './told-roll.ts';

const remembered = 20;

export const chatRolls: OperationHandlers<'rolls' | 'last-roll' | 'roll'> = {
  rolls: (tx, { limit = remembered }) => ({ data: lastRolls(tx).slice(0, limit) }),

  'last-roll': (tx) => ({ data: lastRolls(tx)[0] ?? null }),

  roll(tx, { formula, flavor, createChatMessage = true, speaker, whisper = [] }) {
    const { name, uuid } = speakerOf(tx, { speaker });
    const to = whisper.map((user) => findUser(tx.state, user).id);
    const roll = rollNotation(formula, tx.random);
    const message = {
      speaker: name,
      title: flavor ?? 'Roll',
      roll,
      whisper: to,
      style: uuid === undefined ? 1 : 2,
      ...(uuid !== undefined && { speakerUuid: uuid }),
    };
    const id = createChatMessage ? post(tx, message) : createId(tx.random);
    return {
      success: true,
      data: { id, chatMessageCreated: createChatMessage, roll: { ...rollOf(roll), timestamp: tx.now } },
    };
  },
};

/** The last rolls that the acting user may see, newest first. */
function lastRolls(tx: Transaction) {
  const rolled = visibleMessages(tx).flatMap((message) =>
    message.roll ? [record(tx, message, message.roll)] : [],
  );
  return rolled.toReversed().slice(0, remembered);
}

function record({ state }: Transaction, message: ChatMessage, roll: NonNullable<ChatMessage['roll']>) {
  const { total, ...rest } = rollOf(roll);
  const { id, author, title, timestamp } = message;
  return {
    id,
    messageId: id,
    user: author,
    speaker: documentOfSpeaker(message, state),
    flavor: title,
    rollTotal: total,
    ...rest,
    timestamp,
  };
}
