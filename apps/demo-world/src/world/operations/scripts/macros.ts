import { idOf } from '../../documents.ts';
import { documentsOf } from '../../store/find-documents.ts';
import { levelOf, levels } from '../../store/permissions.ts';
import { textAt } from '../../store/rooms/fields.ts';
import type { FoundDocument } from '../../store/stored-document.ts';
import type { Transaction } from '../../transaction.ts';
import type { OperationHandlers } from '../handler.ts';

export const macros: OperationHandlers<'macros'> = {
  macros(tx) {
    const seen = documentsOf(tx.state, 'Macro').filter(
      (macro) => levelOf(tx.state, tx.user, macro) >= levels.limited,
    );
    return { macros: seen.map((macro) => told(tx, macro)) };
  },
};

function told(tx: Transaction, macro: FoundDocument) {
  const { uuid, data } = macro;
  return {
    uuid,
    id: idOf(uuid),
    name: textAt(data, 'name', ''),
    type: textAt(data, 'type', 'script'),
    author: textAt(data, 'author', '') || null,
    command: textAt(data, 'command', ''),
    img: textAt(data, 'img', '') || null,
    scope: textAt(data, 'scope', 'global'),
    canExecute: levelOf(tx.state, tx.user, macro) === levels.owner,
  };
}
