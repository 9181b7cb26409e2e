import { createActor } from '../../content/builders.ts';
import { abilities, unhurt } from '../../content/builders.ts';
import { actorDocument, actorTypes } from '../../documents.ts';
import type { Document } from '../../document.ts';
import { Refusal } from '../../refusal.ts';
import type { Actor } from '../../state.ts';
import type { Transaction } from '../../transaction.ts';
import { saveActor } from '../../transaction.ts';
import { readActor } from './actor-fields.ts';
import type { DocumentRoom } from './document-room.ts';
import { mergeDocument } from '../merge.ts';
import type { FoundDocument } from '../stored-document.ts';

/** Actors, and the sheets of tokens that have their own: those are embedded in the token. */
export const actorRoom: DocumentRoom = {
  list: ({ actors }, parent) => actors.map(found).filter((one) => one.parent === parent),

  find({ actors }, uuid) {
    const actor = actors.find((one) => one.uuid === uuid);
    return actor && found(actor);
  },

  insert(tx, { uuid, id, parent }, data) {
    if (parent !== null) throw new Refusal('invalid_data', 'A token’s own sheet comes with the token');
    const actor = blankActor(id, data);
    tx.state = { ...tx.state, actors: [...tx.state.actors, actor] };
    changeActor(tx, uuid, data);
  },

  change: changeActor,

  remove(tx, uuid) {
    tx.state = { ...tx.state, actors: tx.state.actors.filter((actor) => actor.uuid !== uuid) };
  },
};

function changeActor(tx: Transaction, uuid: string, changes: Document): void {
  const actor = tx.state.actors.find((one) => one.uuid === uuid);
  if (!actor) return;
  const read = readActor(actor, mergeDocument({}, changes));
  saveActor(tx, { ...read, more: mergeDocument(actor.more ?? {}, changes) });
}

/** A creature with average scores, 10 hit points and nothing else. */
function blankActor(id: string, { type }: Document): Actor {
  if (!actorTypes.includes(type))
    throw new Refusal('invalid_data', `The type of an actor is one of ${actorTypes.join(', ')}`);
  const kind = type === 'character' ? 'character' : 'npc';
  return createActor(id, {
    name: 'Actor',
    kind,
    race: '',
    level: kind === 'character' ? 1 : 0,
    experience: kind === 'character' ? 0 : null,
    challenge: kind === 'npc' ? 0 : null,
    hitPoints: unhurt(10),
    hitDice: { faces: 8, max: 1, spent: 0 },
    abilities: abilities([10, 10, 10, 10, 10, 10]),
    items: [],
  });
}

function found(actor: Actor): FoundDocument {
  const own = actor.uuid.lastIndexOf('.Actor.');
  const parent = own < 0 ? null : actor.uuid.slice(0, own);
  return { kind: 'Actor', uuid: actor.uuid, parent, data: actorDocument(actor) };
}
