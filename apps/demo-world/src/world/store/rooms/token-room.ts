import { tokenDocument } from '../../documents.ts';
import type { Document } from '../../document.ts';
import { Refusal } from '../../refusal.ts';
import type { Actor, Scene, Token, WorldState } from '../../state.ts';
import type { Transaction } from '../../transaction.ts';
import { saveToken } from '../../transaction.ts';
import type { DocumentRoom } from './document-room.ts';
import { countAt, flagAt, textAt } from './fields.ts';
import { mergeDocument } from '../merge.ts';
import type { FoundDocument } from '../stored-document.ts';

/** Tokens. Their places are grid squares from the scene's top left. */
export const tokenRoom: DocumentRoom = {
  list(state, parent) {
    const scene = state.scenes.find(({ id }) => `Scene.${id}` === parent);
    return scene ? scene.tokens.map((token) => found(state, scene, token)) : [];
  },

  find(state, uuid) {
    const scene = state.scenes.find(({ id }) => uuid.startsWith(`Scene.${id}.Token.`));
    const token = scene?.tokens.find((one) => one.uuid === uuid);
    return scene && token && found(state, scene, token);
  },

  insert(tx, { uuid, parent }, data) {
    const scene = tx.state.scenes.find(({ id }) => `Scene.${id}` === parent);
    if (!scene) throw new Refusal('entity_not_found', `There is no scene ${parent ?? ''}`);
    const actor = actorFor(tx.state, data);
    const token: Token = {
      uuid,
      actorUuid: actor.uuid,
      name: actor.name,
      x: 0,
      y: 0,
      size: 1,
      hidden: false,
      color: '#7a7468',
    };
    const changed = { ...scene, tokens: [...scene.tokens, token] };
    tx.state = {
      ...tx.state,
      scenes: tx.state.scenes.map((one) => (one === scene ? changed : one)),
    };
    changeToken(tx, uuid, data);
  },

  change: changeToken,

  remove(tx, uuid) {
    const scenes = tx.state.scenes.map((scene) =>
      scene.tokens.some((token) => token.uuid === uuid)
        ? { ...scene, tokens: scene.tokens.filter((token) => token.uuid !== uuid) }
        : scene,
    );
    tx.state = { ...tx.state, scenes };
  },
};

function changeToken(tx: Transaction, uuid: string, changes: Document): void {
  const scene = tx.state.scenes.find(({ tokens }) => tokens.some((token) => token.uuid === uuid));
  const token = scene?.tokens.find((one) => one.uuid === uuid);
  if (!scene || !token) return;
  const given = mergeDocument({}, changes);
  const size = countAt(given, 'width', token.size, { min: 1, max: Math.min(scene.columns, scene.rows) });
  saveToken(tx, {
    ...token,
    size,
    name: textAt(given, 'name', token.name),
    x: countAt(given, 'x', token.x, { max: scene.columns - size }),
    y: countAt(given, 'y', token.y, { max: scene.rows - size }),
    hidden: flagAt(given, 'hidden', token.hidden),
    more: mergeDocument(token.more ?? {}, changes),
  });
}

/** The actor that a new token stands for. */
function actorFor({ actors }: WorldState, data: Document): Actor {
  const id = textAt(data, 'actorId', '');
  const wanted = id === '' ? textAt(data, 'actorUuid', '') : `Actor.${id}`;
  const actor = actors.find(({ uuid }) => uuid === wanted);
  if (!actor) throw new Refusal('invalid_data', 'A token needs the actorId of an actor of this world');
  return actor;
}

function found(state: WorldState, scene: Scene, token: Token): FoundDocument {
  const actor = state.actors.find(({ uuid }) => uuid === token.actorUuid);
  const data = tokenDocument(token, actor);
  return { kind: 'Token', uuid: token.uuid, parent: `Scene.${scene.id}`, data };
}
