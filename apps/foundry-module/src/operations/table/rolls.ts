import { OperationRefused } from '@tabletop-relay/module-sdk';
import { tabletop } from '../../tabletop/foundry.ts';
import type { ChatMessage, Roll } from '../../tabletop/documents.ts';
import { findUser } from '../acting.ts';
import type { ActingUser } from '../acting.ts';
import type { SomeHandlers } from '../call.ts';
import { cleanHtml } from '../guards/html.ts';
import { maySee } from '../permissions.ts';
import { speakerOf } from './speaker.ts';
import { tellRoll, totalOf } from './told-roll.ts';

const remembered = 20;

export const rolls = {
  rolls: ({ limit = remembered }, { user }) => ({ data: lastRolls(user).slice(0, limit) }),

  'last-roll': (_parameters, { user }) => ({ data: lastRolls(user)[0] ?? null }),

  async roll({ formula, flavor, createChatMessage = true, speaker, whisper = [] }, { user }) {
    const to = whisper.map((one) => findUser(one).id);
    if (!tabletop.Roll.validate(formula)) {
      throw new OperationRefused(`${formula} is no formula of dice`, 'invalid_formula');
    }
    const spoken = await speakerOf(user, { speaker });
    // A person whose dice are rolled by hand would be asked for them, and the call would wait.
    const rolled = await new tabletop.Roll(formula).evaluate({ allowInteractive: false });
    const message = createChatMessage
      ? await tabletop.ChatMessage.create({
          rolls: [rolled],
          sound: tabletop.CONFIG.sounds.dice,
          flavor: flavor === undefined ? '' : cleanHtml(flavor),
          speaker: spoken,
          ...(user && { author: user.id }),
          whisper: to,
        })
      : undefined;
    return {
      success: true,
      data: {
        ...(message && { id: message.id }),
        chatMessageCreated: message !== undefined,
        roll: { ...tellRoll(rolled), total: totalOf(rolled), timestamp: Date.now() },
      },
    };
  },
} satisfies SomeHandlers;

/** The last rolls that the acting user may see, newest first. */
function lastRolls(user: ActingUser) {
  const told = [];
  for (const message of tabletop.game.messages.contents.toReversed()) {
    const roll = message.rolls[0];
    if (!roll || !maySee(user, message)) continue;
    told.push(tellRolled(message, roll));
    if (told.length === remembered) break;
  }
  return told;
}

/** A roll in the chat, as lists and events tell it. */
export function tellRolled({ id, author, speaker, flavor, timestamp }: ChatMessage, roll: Roll) {
  return {
    id,
    messageId: id,
    user: author ? { id: author.id, name: author.name } : null,
    speaker: { ...speaker },
    flavor,
    rollTotal: roll.total ?? null,
    ...tellRoll(roll),
    timestamp,
  };
}
