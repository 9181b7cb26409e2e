import type { Document } from '../document.ts';
import { idOf } from '../documents.ts';
import { Refusal } from '../refusal.ts';
import { createId } from '../rules/rolls/random.ts';
import type { Transaction } from '../transaction.ts';
import { documentsOf, findDocument } from './find-documents.ts';
import { documentKinds } from './kinds.ts';
import { assertSpace } from './limits.ts';
import { isDocument } from './merge.ts';
import { roomOf } from './rooms/rooms.ts';
import type { FoundDocument } from './stored-document.ts';
import { withoutDangling } from './without-dangling.ts';

/** A document to be made. */
export interface NewDocument {
  kind: string;
  data: Document;
  /** UUID of the document that embeds it. */
  parent?: string | null;
  /** Keep the `_id` of `data`. */
  keepId?: boolean | undefined;
}

/** Makes a document and those that its data embeds, and returns its UUID. */
export function createDocument(tx: Transaction, created: NewDocument): string {
  const uuid = insert(tx, created);
  assertSpace(tx.state);
  return uuid;
}

/** Changes the fields of a document, and those of embedded documents that `changes` lists by `_id`. */
export function changeDocument(
  tx: Transaction,
  document: FoundDocument,
  changes: Document,
  { fullSync = false }: { fullSync?: boolean } = {},
): void {
  change(tx, document, changes, fullSync);
  tx.state = withoutDangling(tx.state);
  assertSpace(tx.state);
}

/** Deletes a document, all that it embeds, and what stands for it elsewhere. */
export function deleteDocument(tx: Transaction, document: FoundDocument): void {
  remove(tx, document);
  tx.state = withoutDangling(tx.state);
}

function insert(tx: Transaction, { kind, data, parent = null, keepId }: NewDocument): string {
  const room = roomOf(kind);
  if (!room.insert) throw new Refusal('not_supported', `This world makes each ${kind} by itself`);
  const { own, embedded } = split(kind, data);
  const id = keepId ? givenId(data) : createId(tx.random);
  const uuid = parent === null ? `${kind}.${id}` : `${parent}.${kind}.${id}`;
  if (findDocument(tx.state, uuid)) throw new Refusal('already_exists', `There is a ${uuid} already`);
  room.insert(tx, { uuid, id, parent }, own);
  for (const one of embedded) insert(tx, { ...one, parent: uuid, keepId: '_id' in one.data });
  return uuid;
}

function change(tx: Transaction, { kind, uuid }: FoundDocument, changes: Document, fullSync: boolean): void {
  const room = roomOf(kind);
  if (!room.change || uuid.startsWith('Compendium.'))
    throw new Refusal('not_supported', `${uuid} cannot be changed`);
  const { own, embedded, listed } = split(kind, changes);
  if (Object.keys(own).length > 0) room.change(tx, uuid, own);
  if (fullSync) for (const inner of listed) removeOthers(tx, uuid, inner, embedded);
  for (const one of embedded) {
    const id = one.data['_id'];
    const known = typeof id === 'string' ? findDocument(tx.state, `${uuid}.${one.kind}.${id}`) : undefined;
    if (known) change(tx, known, one.data, fullSync);
    else insert(tx, { ...one, parent: uuid, keepId: typeof id === 'string' });
  }
}

function remove(tx: Transaction, { kind, uuid }: FoundDocument): void {
  const room = roomOf(kind);
  if (!room.remove || uuid.startsWith('Compendium.'))
    throw new Refusal('not_supported', `${uuid} cannot be deleted`);
  room.remove(tx, uuid);
  const within = Object.keys(tx.state.documents).filter((one) => one.startsWith(`${uuid}.`));
  if (within.length === 0) return;
  const gone = new Set(within);
  const kept = Object.entries(tx.state.documents).filter(([one]) => !gone.has(one));
  tx.state = { ...tx.state, documents: Object.fromEntries(kept) };
}

function removeOthers(tx: Transaction, parent: string, kind: string, kept: readonly NewDocument[]): void {
  const ids = new Set(kept.filter((one) => one.kind === kind).map(({ data }) => data['_id']));
  for (const one of documentsOf(tx.state, kind, parent)) if (!ids.has(idOf(one.uuid))) remove(tx, one);
}

/** Parts a document's data: its own fields, and the documents that it embeds. */
function split(kind: string, data: Document) {
  const { _id, uuid: _uuid, ...own } = data;
  const embedded: NewDocument[] = [];
  const listed: string[] = [];
  for (const inner of documentKinds[kind]?.embeds ?? []) {
    const { collection } = documentKinds[inner]!;
    const list = own[collection];
    if (list === undefined) continue;
    if (!Array.isArray(list) || !list.every(isDocument))
      throw new Refusal('invalid_data', `${collection} must be a list of documents`);
    delete own[collection];
    listed.push(inner);
    embedded.push(...list.map((one) => ({ kind: inner, data: one })));
  }
  return { own, embedded, listed };
}

function givenId({ _id }: Document): string {
  if (typeof _id === 'string' && /^[\w-]{1,64}$/.test(_id)) return _id;
  throw new Refusal('invalid_data', 'An _id has up to 64 letters, digits, - and _');
}
