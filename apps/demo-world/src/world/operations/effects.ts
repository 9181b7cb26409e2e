import { Refusal } from '../refusal.ts';
import { conditionNames, withCondition } from '../rules/health/conditions.ts';
import type { Actor } from '../state.ts';
import { createDocument, deleteDocument } from '../store/change-documents.ts';
import { documentsOf, knownDocument } from '../store/find-documents.ts';
import { assertLevel, levels } from '../store/permissions.ts';
import type { Level } from '../store/permissions.ts';
import { textAt } from '../store/rooms/fields.ts';
import type { FoundDocument } from '../store/stored-document.ts';
import type { Transaction } from '../transaction.ts';
import { saveActor } from '../transaction.ts';
import { findTarget } from './find.ts';
import type { OperationHandlers } from './handler.ts';

export const effects: OperationHandlers<
  'get-status-effects' | 'get-effects' | 'add-effect' | 'remove-effect'
> = {
  'get-status-effects': () => ({
    data: {
      effects: conditionNames.map((id) => ({
        id,
        name: id.charAt(0).toUpperCase() + id.slice(1),
        icon: `icons/conditions/${id}.svg`,
      })),
    },
  }),

  'get-effects'(tx, { uuid }) {
    const actor = holderOf(tx, uuid, levels.limited, 'see');
    const effects = documentsOf(tx.state, 'ActiveEffect', actor.uuid).map((one) => ({
      ...told(one),
      disabled: one.data['disabled'] === true,
      duration: one.data['duration'] ?? {},
      changes: listAt(one, 'changes'),
      origin: textAt(one.data, 'origin', '') || null,
    }));
    return { data: { uuid, effects } };
  },

  'add-effect'(tx, { uuid, statusId, effectData }) {
    const actor = holderOf(tx, uuid, levels.owner, 'change');
    if (statusId !== undefined) {
      addCondition(tx, actor, statusId);
      return { data: { uuid, effect: told(knownDocument(tx.state, uuidOf(actor, statusId))) } };
    }
    const plain = { name: 'Effect', disabled: false, duration: {}, statuses: [], changes: [], origin: null };
    const data = { ...plain, ...effectData };
    const created = createDocument(tx, { kind: 'ActiveEffect', parent: actor.uuid, data });
    return { data: { uuid, effect: told(knownDocument(tx.state, created)) } };
  },

  'remove-effect'(tx, { uuid, effectId, statusId }) {
    const actor = holderOf(tx, uuid, levels.owner, 'change');
    const effect = documentsOf(tx.state, 'ActiveEffect', actor.uuid).find((one) =>
      effectId === undefined ? statusesOf(one).includes(statusId ?? '') : one.data['_id'] === effectId,
    );
    if (!effect) throw new Refusal('entity_not_found', `${actor.name} has no effect ${effectId ?? statusId}`);
    deleteDocument(tx, effect);
    return { data: { uuid, removedEffectId: textAt(effect.data, '_id', '') } };
  },
};

/** The actor, or the actor of the token, as far as the acting user may reach it. */
function holderOf(tx: Transaction, uuid: string, level: Level, action: string): Actor {
  const document = knownDocument(tx.state, uuid);
  const actor = findTarget(tx.state, { targetUuid: document.uuid });
  if (!actor) throw new Refusal('entity_not_found', `${uuid} is neither a token nor an actor`);
  assertLevel(tx, knownDocument(tx.state, actor.uuid), level, action);
  return actor;
}

function addCondition(tx: Transaction, actor: Actor, id: string): void {
  if (!conditionNames.includes(id))
    throw new Refusal('unknown_status', `This world knows no condition ${id}`);
  if (actor.conditions.includes(id)) throw new Refusal('already_exists', `${actor.name} is ${id} already`);
  const changed = withCondition(actor, id);
  if (changed === actor) throw new Refusal('immune', `${actor.name} cannot be ${id}`);
  saveActor(tx, changed);
}

const uuidOf = (actor: Actor, id: string): string => `${actor.uuid}.ActiveEffect.${id}`;

function told(effect: FoundDocument) {
  const { data, uuid } = effect;
  const icon = textAt(data, 'icon', textAt(data, 'img', ''));
  return {
    id: textAt(data, '_id', ''),
    uuid,
    name: textAt(data, 'name', 'Effect'),
    icon: icon || null,
    statuses: statusesOf(effect),
  };
}

function statusesOf(effect: FoundDocument): string[] {
  return listAt(effect, 'statuses').filter((status) => typeof status === 'string');
}

function listAt({ data }: FoundDocument, field: string): unknown[] {
  const value = data[field];
  return Array.isArray(value) ? value : [];
}
