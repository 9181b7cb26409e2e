import { valueAt } from '../differences.ts';
import { tokenDocument } from '../documents.ts';
import { Refusal } from '../refusal.ts';
import type { Token } from '../state.ts';
import type { Transaction } from '../transaction.ts';
import { actorOf, findToken, owns, tokensOnCanvas } from './find.ts';
import type { OperationHandlers } from './handler.ts';

export const canvas: OperationHandlers<'select' | 'selected'> = {
  /** Tokens that match any of what is given; players can have only tokens of their own, and see no hidden ones. */
  select(tx, parameters) {
    const { uuids = [], name, data, all = false, overwrite = false } = parameters;
    if (parameters.uuids === undefined && name === undefined && data === undefined && !all) {
      throw new Refusal('invalid_parameters', 'Say which tokens: uuids, name, data or all');
    }
    for (const uuid of uuids) assertSelectable(tx, findToken(tx.state, uuid));
    const matches = tokensOnCanvas(tx.state).filter(
      (token) =>
        isSelectable(tx, token) &&
        (all ||
          uuids.includes(token.uuid) ||
          token.name.toLowerCase() === name?.toLowerCase() ||
          (data !== undefined && hasData(tx, token, data))),
    );
    const chosen = matches.map(({ uuid }) => uuid);
    const selection = overwrite ? chosen : [...new Set([...tx.state.selection, ...chosen])];
    tx.state = { ...tx.state, selection };
    const selected = ownSelection(tx).map(({ uuid }) => uuid);
    const message = `${selected.length} ${selected.length === 1 ? 'token' : 'tokens'} selected`;
    return { success: true, count: selected.length, message, selected };
  },

  selected(tx) {
    const selected = ownSelection(tx).map(({ uuid, actorUuid }) => ({ tokenUuid: uuid, actorUuid }));
    return { success: true, selected };
  },
};

/** What the acting user may know of the selection, which may be a game master's. */
const ownSelection = (tx: Transaction): Token[] =>
  tx.state.selection.map((uuid) => findToken(tx.state, uuid)).filter((token) => isSelectable(tx, token));

function isSelectable(tx: Transaction, token: Token): boolean {
  if (!tx.user || tx.user.isGM) return true;
  return !token.hidden && owns(tx.user, actorOf(tx.state, token));
}

function assertSelectable(tx: Transaction, token: Token): void {
  if (!tokensOnCanvas(tx.state).includes(token)) {
    throw new Refusal('entity_not_found', `${token.uuid} is not in the active scene`);
  }
  if (isSelectable(tx, token)) return;
  // A player must not learn of hidden tokens: they are refused like those that don't exist.
  if (token.hidden) throw new Refusal('entity_not_found', `There is no token ${token.uuid}`);
  throw new Refusal('permission_denied', `${tx.user?.name} does not own ${token.name}`);
}

function hasData(tx: Transaction, token: Token, data: Readonly<Record<string, unknown>>): boolean {
  const document = tokenDocument(token, actorOf(tx.state, token));
  const entries = Object.entries(data);
  return (
    entries.length > 0 &&
    entries.every(([path, value]) => JSON.stringify(valueAt(document, path)) === JSON.stringify(value))
  );
}
