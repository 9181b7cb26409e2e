import type { Document } from '../../document.ts';
import type { ScriptOutcome } from '../../outside.ts';
import { Refusal } from '../../refusal.ts';
import { changeDocument, createDocument, deleteDocument } from '../../store/change-documents.ts';
import { findDocument, knownDocument } from '../../store/find-documents.ts';
import { documentKinds } from '../../store/kinds.ts';
import { assertSpace } from '../../store/limits.ts';
import { isDocument } from '../../store/merge.ts';
import { textAt } from '../../store/rooms/fields.ts';
import type { Transaction } from '../../transaction.ts';
import { gameMaster, post } from '../../transaction.ts';
import { plainText } from '../chat/plain-text.ts';
import { findUser } from '../find.ts';

const most = { deeds: 500, messages: 20, content: 16_384 };

/** Does what a script did to its copy of the world. Refuses all of it where the world does not take one part. */
export function carryOut(tx: Transaction, { deeds }: Pick<ScriptOutcome, 'deeds'>): void {
  if (!Array.isArray(deeds) || !deeds.every(isDocument)) throw failed('What the script did cannot be read');
  const messages = deeds.filter((deed) => deed['create'] === 'ChatMessage');
  if (deeds.length > most.deeds || messages.length > most.messages)
    throw failed(`A script may make ${most.deeds} changes and send ${most.messages} messages`);
  try {
    for (const deed of deeds) carryOutOne(tx, deed);
    assertSpace(tx.state);
  } catch (error) {
    // The caller's own call was right: what its script did was not.
    if (error instanceof Refusal && error.code !== 'world_full') throw failed(error.message);
    throw error;
  }
}

const failed = (why: string) => new Refusal('script_failed', why);

function carryOutOne(tx: Transaction, deed: Document): void {
  const { create, data, parent, update, changes, delete: gone } = deed;
  if (create === 'ChatMessage' && isDocument(data)) say(tx, data);
  else if (typeof create === 'string' && isDocument(data)) make(tx, create, data, parent);
  else if (typeof update === 'string' && isDocument(changes))
    changeDocument(tx, knownDocument(tx.state, update), changes);
  else if (typeof gone === 'string') deleteDocument(tx, knownDocument(tx.state, gone));
  else throw failed('What the script did cannot be read');
}

function make(tx: Transaction, kind: string, data: Document, parent: unknown): void {
  const holder = typeof parent === 'string' ? knownDocument(tx.state, parent) : null;
  const isKnown = Object.hasOwn(documentKinds, kind);
  const fits = holder
    ? documentKinds[holder.kind]?.embeds?.includes(kind) === true
    : documentKinds[kind]?.inWorld !== undefined;
  if (!isKnown || !fits) throw failed(`This world makes no ${kind} there`);
  createDocument(tx, { kind, data, parent: holder?.uuid ?? null, keepId: true });
}

/** Sends a message as a script writes it. */
function say(tx: Transaction, data: Document): void {
  const { content, whisper = [], flavor, style } = data;
  if (typeof content !== 'string' || content.length > most.content)
    throw failed('A message of the script is too long, or no text');
  const to = (Array.isArray(whisper) ? whisper : [whisper]).map((one: unknown) =>
    String(isDocument(one) ? one['_id'] : one),
  );
  post(tx, {
    ...speakerOf(tx, isDocument(data['speaker']) ? data['speaker'] : {}),
    title: typeof flavor === 'string' && flavor !== '' ? flavor : to.length > 0 ? 'whispers' : 'says',
    text: plainText(content),
    content,
    whisper: to.map((user) => findUser(tx.state, user).id),
    style: typeof style === 'number' && style >= 0 && style <= 3 ? Math.trunc(style) : 1,
  });
}

/** In whose name: that of a token, else of an actor, by their ids; else of who runs the script. */
function speakerOf(tx: Transaction, given: Document): { speaker: string; speakerUuid?: string } {
  const [scene, token, actor] = ['scene', 'token', 'actor'].map((name) => textAt(given, name, ''));
  const uuids = [`Scene.${scene}.Token.${token}`, `Actor.${actor}`];
  const found = uuids.map((uuid) => findDocument(tx.state, uuid)).find((one) => one !== undefined);
  const own = found ? textAt(found.data, 'name', '') : (tx.user ?? gameMaster(tx.state)).name;
  return { speaker: textAt(given, 'alias', '') || own, ...(found && { speakerUuid: found.uuid }) };
}
