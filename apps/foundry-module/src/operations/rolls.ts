import { OperationRefused } from '@tabletop-relay/module-sdk';
import type { Handlers } from '@tabletop-relay/module-sdk';
import { tabletop } from '../tabletop/foundry.ts';
import type { Actor, ChatMessage, Roll, Token } from '../tabletop/foundry.ts';
import { actingUser, findOwnActor, findToken, findUser } from './acting.ts';
import type { ActingUser } from './acting.ts';

const remembered = 20;

export const rolls = {
  rolls: ({ limit = remembered }, context) => ({ data: lastRolls(actingUser(context)).slice(0, limit) }),

  'last-roll': (_parameters, context) => ({ data: lastRolls(actingUser(context))[0] ?? null }),

  async roll({ formula, flavor, createChatMessage = true, speaker, whisper = [] }, context) {
    const user = actingUser(context);
    const to = whisper.map((one) => findUser(one).id);
    if (!tabletop.Roll.validate(formula)) {
      throw new OperationRefused(`${formula} is no formula of dice`, 'invalid_formula');
    }
    const spoken = speaker === undefined ? undefined : await speakerOf(user, speaker);
    // A person whose dice are rolled by hand would be asked for them, and the call would wait.
    const rolled = await new tabletop.Roll(formula).evaluate({ allowInteractive: false });
    const message = createChatMessage
      ? await tabletop.ChatMessage.create({
          rolls: [rolled],
          flavor: flavor ?? '',
          speaker: spoken ?? tabletop.ChatMessage.getSpeaker({ alias: user?.name ?? '' }),
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
} satisfies Handlers;

async function speakerOf(user: ActingUser, uuid: string): Promise<object> {
  const token: Token | undefined = await findToken(uuid);
  const actor: Actor = await findOwnActor(user, token?.actor?.uuid ?? uuid);
  return tabletop.ChatMessage.getSpeaker({ actor, ...(token && { token }) });
}

/** The last rolls that the acting user may see, newest first. */
function lastRolls(user: ActingUser) {
  const told = [];
  for (const message of tabletop.game.messages.contents.toReversed()) {
    const roll = message.rolls[0];
    if (!roll || !maySee(user, message)) continue;
    told.push(tellMessage(message, roll));
    if (told.length === remembered) break;
  }
  return told;
}

/** As the tabletop: a whisper is for those it names and its author, and what was rolled blind is not for its author. */
function maySee(user: ActingUser, { whisper, blind, author }: ChatMessage): boolean {
  if (user === null || (whisper.length === 0 && !blind)) return true;
  if (whisper.includes(user.id)) return true;
  return author?.id === user.id && !blind;
}

function tellMessage({ id, author, speaker, flavor, timestamp }: ChatMessage, roll: Roll) {
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

/** A single twenty-sided die that counts tells of 20 and 1. */
function tellRoll({ formula, dice }: Roll) {
  const kept = dice
    .filter(({ faces }) => faces === 20)
    .flatMap(({ results }) => results.filter(({ active }) => active));
  const natural = kept.length === 1 ? kept[0]!.result : undefined;
  return {
    formula,
    isCritical: natural === 20,
    isFumble: natural === 1,
    dice: dice.map(({ faces, results }) => ({
      faces,
      results: results.map(({ result, active }) => ({ result, active })),
    })),
  };
}

function totalOf({ total, formula }: Roll): number {
  if (typeof total === 'number') return total;
  throw new OperationRefused(`${formula} gave no number`, 'invalid_formula');
}
