import { Refusal } from '../../refusal.ts';
import { knownDocument } from '../../store/find-documents.ts';
import type { FoundDocument } from '../../store/stored-document.ts';
import type { Transaction } from '../../transaction.ts';
import { selectedTokens } from '../find.ts';

/** The ways in which an operation names documents: by UUID, or as the selected tokens or their actors. */
export interface TargetReference {
  uuid?: string | undefined;
  selected?: boolean | undefined;
  actor?: boolean | undefined;
}

/** The documents that the parameters name, one at least. */
export function targetsOf(tx: Transaction, { uuid, selected, actor }: TargetReference): FoundDocument[] {
  if (uuid !== undefined) return [knownDocument(tx.state, uuid)];
  if (!selected) throw new Refusal('nothing_selected', 'No token is selected');
  return selectedTokens(tx).map((token) => knownDocument(tx.state, actor ? token.actorUuid : token.uuid));
}
