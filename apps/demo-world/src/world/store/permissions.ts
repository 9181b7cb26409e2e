import type { Document } from '../document.ts';
import { Refusal } from '../refusal.ts';
import type { User, WorldState } from '../state.ts';
import type { Transaction } from '../transaction.ts';
import { findDocument, minimalDocument, wholeDocument } from './find-documents.ts';
import { documentKinds } from './kinds.ts';
import { isDocument } from './merge.ts';
import type { FoundDocument } from './stored-document.ts';

/** Permission levels of a user on a document. Each includes those before it. */
export const levels = { none: 0, limited: 1, observer: 2, owner: 3 } as const;

export type Level = (typeof levels)[keyof typeof levels];

/** The level of a user on a document; null is a game master's access. */
export function levelOf(state: WorldState, user: User | null, document: FoundDocument): Level {
  if (user === null || user.isGM) return levels.owner;
  const { kind, data, parent } = document;
  if (document.uuid.startsWith('Compendium.')) return levels.observer;
  if (kind === 'ChatMessage') return levelOfMessage(user, data);
  if (kind === 'User') return data['_id'] === user.id ? levels.observer : levels.limited;
  if (kind === 'Folder' || kind === 'Combat') return levels.observer;
  if (kind === 'Combatant') return data['hidden'] ? levels.none : levels.observer;
  if (kind === 'Token') return levelOfToken(state, user, data);
  if (isHiddenOnScene(document)) return levels.none;
  if (kind === 'Scene' && data['active'] === true) return levels.observer;
  const own = ownLevel(user, data);
  if (own !== undefined || parent === null) return own ?? levels.none;
  const holder = findDocument(state, parent);
  return holder ? levelOf(state, user, holder) : levels.none;
}

/** Part of a document that the acting user may see: all of it, or only that it exists. */
export function toldDocument(tx: Transaction, document: FoundDocument): Document {
  const { state, user } = tx;
  if (levelOf(state, user, document) < levels.observer) return minimalDocument(document);
  return wholeDocument(state, document, (inner) => levelOf(state, user, inner) >= levels.limited);
}

/** Kinds of which a player must not even learn that a document is there. */
const secret = ['Token', 'Combatant', 'ChatMessage'];

/** Refuses a user below a level. */
export function assertLevel(tx: Transaction, document: FoundDocument, level: Level, action: string): void {
  const has = levelOf(tx.state, tx.user, document);
  if (has >= level) return;
  if (has === levels.none && (secret.includes(document.kind) || isHiddenOnScene(document)))
    throw new Refusal('entity_not_found', `There is no document ${document.uuid}`);
  throw new Refusal('permission_denied', `${tx.user?.name} may not ${action} ${document.uuid}`);
}

/** Refuses a user whose role does not allow to make documents of this kind. */
export function assertCreator({ user }: Transaction, kind: string): void {
  const role = documentKinds[kind]?.creator ?? 4;
  if (user === null || user.isGM || user.role >= role) return;
  throw new Refusal('permission_denied', `${user.name} may not create a document of the kind ${kind}`);
}

/** Tiles, drawings, lights and the like that a game master has hidden. */
function isHiddenOnScene({ parent, data }: FoundDocument): boolean {
  return parent?.startsWith('Scene.') === true && data['hidden'] === true;
}

function levelOfMessage(user: User, { author, whisper }: Document): Level {
  if (isDocument(author) && author['id'] === user.id) return levels.owner;
  const isWhisper = Array.isArray(whisper) && whisper.length > 0;
  return !isWhisper || (whisper as unknown[]).includes(user.id) ? levels.observer : levels.none;
}

function levelOfToken(state: WorldState, user: User, { hidden, actorUuid }: Document): Level {
  if (hidden === true || typeof actorUuid !== 'string') return levels.none;
  const actor = findDocument(state, actorUuid);
  const level = actor ? levelOf(state, user, actor) : levels.none;
  return level < levels.limited ? levels.limited : level;
}

function ownLevel(user: User, { ownership }: Document): Level | undefined {
  if (!isDocument(ownership)) return undefined;
  const level = ownership[user.id] ?? ownership['default'];
  return typeof level === 'number' && level >= 0 && level <= 3 ? (Math.trunc(level) as Level) : undefined;
}
