import { OperationRefused } from '@tabletop-relay/module-sdk';
import type {
  ChatMessage,
  Combatant,
  Data,
  DocumentClass,
  FoundryDocument,
  Level,
  Token,
} from '../tabletop/documents.ts';
import { tabletop } from '../tabletop/foundry.ts';
import { isMaster, nameOf, notFound } from './acting.ts';
import type { ActingUser } from './acting.ts';

/** Whether a user has a level on a document, by the tabletop's own rules; what is hidden from players is hidden here too. */
export function may(user: ActingUser, document: FoundryDocument, level: Level): boolean {
  if (user === null || isMaster(user)) return true;
  if (isSecret(user, document)) return false;
  const { documentName: kind, pack } = document;
  const isReading = level !== 'OWNER';
  if (pack !== null) {
    return tabletop.game.packs.get(pack)?.testUserPermission(user, isReading ? 'OBSERVER' : level) === true;
  }
  if (kind === 'ChatMessage') return isReading || (document as ChatMessage).author?.id === user.id;
  if (isReading && (kind === 'Combat' || kind === 'Combatant' || kind === 'Folder')) return true;
  if (kind === 'User') return level === 'LIMITED' || (level === 'OBSERVER' && document.id === user.id);
  // What everybody sees of a scene that is played.
  if (isReading && kind === 'Scene' && valueOf(document, 'active') === true) return true;
  if (level === 'LIMITED' && kind === 'Token') return true;
  return document.testUserPermission(user, level);
}

/** Of what a player must not even learn that it is there. */
function isSecret(user: NonNullable<ActingUser>, document: FoundryDocument): boolean {
  const { documentName: kind, parent } = document;
  if (kind === 'Token') return (document as Token).hidden;
  if (kind === 'Combatant') return (document as Combatant).hidden;
  if (kind === 'ChatMessage') return !maySee(user, document as ChatMessage);
  if (parent?.documentName === 'Scene') return valueOf(document, 'hidden') === true;
  return false;
}

/** As the tabletop: a whisper is for those it names and its author, and what was rolled blind is not for its author. */
export function maySee(user: ActingUser, { whisper, blind, author }: ChatMessage): boolean {
  if (user === null || isMaster(user) || (whisper.length === 0 && !blind)) return true;
  if (whisper.includes(user.id)) return true;
  return author?.id === user.id && !blind;
}

/** Refuses a user below a level. */
export function assertLevel(user: ActingUser, document: FoundryDocument, level: Level, what: string): void {
  if (may(user, document, level)) return;
  if (user !== null && isSecret(user, document)) throw notFound('document', document.uuid);
  throw refused(user, `${what} ${document.uuid}`);
}

/** Refuses who may not change or delete a document, by the tabletop's own check of that change. */
export function assertChange(
  user: ActingUser,
  document: FoundryDocument,
  action: 'update' | 'delete',
  changes: Data = {},
): void {
  if (user === null || isMaster(user)) return;
  if (isSecret(user, document)) throw notFound('document', document.uuid);
  if (document.canUserModify(user, action, changes)) return;
  throw refused(user, `${action === 'update' ? 'change' : 'delete'} ${document.uuid}`);
}

/** Refuses a user whose role does not allow to make documents of this kind. */
export function assertCreator(
  user: ActingUser,
  documentClass: Pick<DocumentClass, 'canUserCreate' | 'documentName'>,
): void {
  if (user === null || isMaster(user) || documentClass.canUserCreate(user)) return;
  throw refused(user, `create a document of the kind ${documentClass.documentName}`);
}

export const refused = (user: ActingUser, what: string): OperationRefused =>
  new OperationRefused(`${nameOf(user)} may not ${what}`, 'permission_denied');

/** Part of a document that a user may see: all of it, or only that it exists. */
export function tell(user: ActingUser, document: FoundryDocument): Data {
  if (may(user, document, 'OBSERVER')) return whole(user, document);
  const { uuid, name } = document;
  return { uuid, name, type: typeOf(document), img: imageOf(document) };
}

/** A document with what is embedded in it, as far as the user may see that. */
export function whole(user: ActingUser, document: FoundryDocument): Data {
  const { password: _password, passwordSalt: _salt, ...data } = document.toObject();
  if (isMaster(user)) return data;
  const kinds = embeddedKinds(document);
  const seen = Object.entries(kinds).flatMap(([kind, field]) => {
    if (!Array.isArray(data[field])) return [];
    const inner = document.getEmbeddedCollection(kind).filter((one) => may(user, one, 'LIMITED'));
    return [[field, inner.map((one) => whole(user, one))] as const];
  });
  return { ...data, ...Object.fromEntries(seen) };
}

/** Kinds of documents that a document holds, and the field of each. */
export const embeddedKinds = (document: FoundryDocument): Readonly<Record<string, string>> =>
  (document.constructor as unknown as { metadata: { embedded: Record<string, string> } }).metadata.embedded;

/** A field that not every kind of document has. */
export const valueOf = (document: object, field: string): unknown =>
  field in document ? (document as Data)[field] : undefined;

export const typeOf = (document: FoundryDocument): string => {
  const type = valueOf(document, 'type');
  return typeof type === 'string' && type !== 'base' ? type : document.documentName;
};

export const imageOf = (document: FoundryDocument): string | null => {
  const img = valueOf(document, 'img');
  return typeof img === 'string' && img !== '' ? img : null;
};
