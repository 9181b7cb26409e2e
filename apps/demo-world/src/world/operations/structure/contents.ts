import { idOf } from '../../documents.ts';
import { documentsOf } from '../../store/find-documents.ts';
import { isFoldered } from '../../store/kinds.ts';
import { levelOf, levels } from '../../store/permissions.ts';
import { textAt } from '../../store/rooms/fields.ts';
import type { FoundDocument } from '../../store/stored-document.ts';
import type { Transaction } from '../../transaction.ts';

/** Documents directly in a folder that the acting user may see. */
export function contentsOf(tx: Transaction, { uuid, data }: FoundDocument): FoundDocument[] {
  const kind = textAt(data, 'type', '');
  return isFoldered(kind) ? visible(tx, kind).filter((one) => one.data['folder'] === idOf(uuid)) : [];
}

/** The world's documents of a kind that the acting user may know of. */
export function visible(tx: Transaction, kind: string): FoundDocument[] {
  return documentsOf(tx.state, kind).filter(
    (document) => levelOf(tx.state, tx.user, document) >= levels.limited,
  );
}

/** The five fields by which lists tell of a document. */
export function briefDocument({ uuid, kind, data }: FoundDocument) {
  return {
    uuid,
    id: idOf(uuid),
    name: textAt(data, 'name', ''),
    type: textAt(data, 'type', kind),
    img: textAt(data, 'img', '') || null,
  };
}
