import type { ScriptJob, ScriptOutcome } from '../../outside.ts';
import { Refusal } from '../../refusal.ts';
import { documentsOf, wholeDocument } from '../../store/find-documents.ts';
import { assertSpace } from '../../store/limits.ts';
import { userRecord } from '../../store/rooms/user-room.ts';
import type { Transaction } from '../../transaction.ts';
import { gameMaster, post } from '../../transaction.ts';
import { plainText } from '../chat/plain-text.ts';

const messagesAtMost = 20;
const lengthAtMost = 16_384;

/**
 * A script that sees the world as it is (`game.actors`, `game.users`, `game.scenes`, `game.user`) and may send chat
 * messages. It gets a copy: nothing that it does to it changes the world.
 */
export function scriptJob({ state, user }: Transaction, script: string, args: object): ScriptJob {
  const game = {
    world: state.world,
    system: state.system,
    user: user ? userRecord(user) : gameMaster(state),
    users: state.users.map(userRecord),
    actors: documentsOf(state, 'Actor').map((actor) => wholeDocument(state, actor)),
    scenes: documentsOf(state, 'Scene').map(({ data }) => data),
  };
  return { script, args: JSON.stringify(args), game: JSON.stringify(game) };
}

/** Posts what a script said. */
export function speak(tx: Transaction, { said }: ScriptOutcome): void {
  const messages: unknown[] = Array.isArray(said) ? said : [];
  if (messages.length > messagesAtMost) throw new Refusal('script_failed', 'The script said too much');
  const { name } = tx.user ?? gameMaster(tx.state);
  for (const content of messages) {
    if (typeof content !== 'string' || content.length > lengthAtMost)
      throw new Refusal('script_failed', 'A message of the script is too long, or no text');
    post(tx, { speaker: name, title: 'says', text: plainText(content), content, style: 1 });
  }
  assertSpace(tx.state);
}
