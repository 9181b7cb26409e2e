import { concentrationDocument } from '../../documents.ts';
import type { Document } from '../../document.ts';
import { Refusal } from '../../refusal.ts';
import { endConcentration } from '../../rules/health/concentration.ts';
import { withoutCondition } from '../../rules/health/conditions.ts';
import type { Actor, WorldState } from '../../state.ts';
import { saveActor } from '../../transaction.ts';
import type { DocumentRoom } from './document-room.ts';
import { findIn } from './document-room.ts';
import { storedRoom } from './stored-room.ts';
import type { FoundDocument } from '../stored-document.ts';

const others = storedRoom('ActiveEffect');

/** Effects: those of conditions, of concentration and of death follow from the rules, all others are kept as they are. */
export const effectRoom: DocumentRoom = {
  list: (state, parent) => [...ofRules(state, parent), ...others.list(state, parent)],

  find: (state, uuid) => findIn(ofRules(state, holderOf(uuid)), uuid) ?? others.find(state, uuid),

  insert: (tx, place, data) => others.insert(tx, place, data),

  change(tx, uuid, changes) {
    if (findIn(ofRules(tx.state, holderOf(uuid)), uuid))
      throw new Refusal('not_supported', 'A condition is as the rules have it');
    others.change(tx, uuid, changes);
  },

  remove(tx, uuid) {
    const actor = tx.state.actors.find((one) => one.uuid === holderOf(uuid));
    const id = uuid.slice(uuid.lastIndexOf('.') + 1);
    if (actor?.conditions.includes(id)) saveActor(tx, withoutCondition(actor, id));
    else if (actor?.concentration?.id === id) saveActor(tx, endConcentration(actor));
    else if (actor?.life === id)
      throw new Refusal('not_supported', `${actor.name} is ${id} for want of hit points`);
    else others.remove(tx, uuid);
  },
};

/** A condition as a document. Its id is its name. */
function conditionDocument(actor: Actor, id: string): Document & { name: string; icon: string } {
  const icon = `icons/conditions/${id}.svg`;
  return {
    _id: id,
    uuid: `${actor.uuid}.ActiveEffect.${id}`,
    name: id.charAt(0).toUpperCase() + id.slice(1),
    img: icon,
    icon,
    disabled: false,
    duration: {},
    statuses: [id],
    changes: [],
    origin: null,
  };
}

const holderOf = (uuid: string): string => uuid.split('.').slice(0, -2).join('.');

function ofRules({ actors }: WorldState, holder: string | null): FoundDocument[] {
  const actor = actors.find(({ uuid }) => uuid === holder);
  if (!actor) return [];
  const { concentration, life } = actor;
  const states = life === 'dead' || life === 'stable' ? [life] : [];
  const documents: Document[] = [...actor.conditions, ...states].map((id) => conditionDocument(actor, id));
  if (concentration) {
    const { id, icon, ...rest } = concentrationDocument(actor, concentration);
    const empty = { disabled: false, duration: {}, changes: [] };
    documents.push({ _id: id, img: icon, icon, ...empty, ...rest });
  }
  return documents.map((data) => ({
    kind: 'ActiveEffect',
    uuid: data['uuid'] as string,
    parent: actor.uuid,
    data,
  }));
}
