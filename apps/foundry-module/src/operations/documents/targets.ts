import { OperationRefused } from '@tabletop-relay/module-sdk';
import type { FoundryDocument } from '../../tabletop/documents.ts';
import { findDocument, seenSelection } from '../acting.ts';
import type { ActingUser } from '../acting.ts';

/** The ways in which an operation names documents: by UUID, or as the selected tokens or their actors. */
export interface TargetReference {
  uuid?: string | undefined;
  selected?: boolean | undefined;
  actor?: boolean | undefined;
}

/** The documents that the parameters name, one at least. */
export async function targetsOf(
  user: ActingUser,
  { uuid, selected, actor }: TargetReference,
): Promise<FoundryDocument[]> {
  if (uuid !== undefined) return [await findDocument(uuid)];
  if (!selected) throw new OperationRefused('No token is selected', 'nothing_selected');
  const tokens = seenSelection(user);
  return actor ? tokens.flatMap((token) => token.actor ?? []) : tokens;
}
