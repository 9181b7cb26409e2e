import { Refusal } from '../../refusal.ts';
import { knownDocument } from '../../store/find-documents.ts';
import { isDocument } from '../../store/merge.ts';
import { assertLevel, levels } from '../../store/permissions.ts';
import { textAt } from '../../store/rooms/fields.ts';
import type { Transaction } from '../../transaction.ts';
import { gameMaster, post } from '../../transaction.ts';
import { assertGm } from '../find.ts';
import type { SlowHandlers } from '../handler.ts';
import { carryOut } from './carry-out.ts';
import { scriptJob } from './run-in-world.ts';

export const scripts: SlowHandlers<'macro-execute' | 'execute-js'> = {
  async 'macro-execute'(tx, { uuid, args = {} }, { runScript }) {
    const macro = knownDocument(tx.state, uuid);
    if (macro.kind !== 'Macro') throw new Refusal('entity_not_found', `${uuid} is not a macro`);
    assertLevel(tx, macro, levels.owner, 'run');
    const command = textAt(macro.data, 'command', '');
    if (textAt(macro.data, 'type', 'script') === 'chat')
      return (later) => {
        carryOut(later, { deeds: [{ create: 'ChatMessage', data: { content: command } }] });
        return { uuid, success: true, result: { value: null } };
      };
    // As today's modules do, whoever asks for it: as the game master.
    const outcome = await runScript(scriptJob({ ...tx, user: null }, command, args));
    const { value } = outcome;
    return (later) => {
      const asGm: Transaction = { ...later, user: null };
      carryOut(asGm, outcome);
      later.state = asGm.state;
      return { uuid, success: true, result: isDocument(value) ? value : { value } };
    };
  },

  async 'execute-js'(tx, { script }, { runScript }) {
    assertGm(tx, 'run scripts');
    const outcome = await runScript(scriptJob(tx, script, {}));
    return (later) => {
      carryOut(later, outcome);
      tellGameMasters(later, script);
      return { success: true, result: outcome.value };
    };
  },
};

function tellGameMasters(tx: Transaction, script: string): void {
  post(tx, {
    speaker: (tx.user ?? gameMaster(tx.state)).name,
    title: 'ran a script',
    text: script.slice(0, 200),
    whisper: tx.state.users.filter(({ isGM }) => isGM).map(({ id }) => id),
    style: 0,
  });
}
