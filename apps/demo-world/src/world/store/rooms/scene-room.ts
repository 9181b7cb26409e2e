import type { Document } from '../../document.ts';
import type { Scene, WorldState } from '../../state.ts';
import type { Transaction } from '../../transaction.ts';
import type { DocumentRoom } from './document-room.ts';
import { countAt, textAt } from './fields.ts';
import { mergeDocument, withMore } from '../merge.ts';
import type { FoundDocument } from '../stored-document.ts';

/** Scenes. A new one has the size that its document says, and a bare floor. */
export const sceneRoom: DocumentRoom = {
  list: (state, parent) => (parent === null ? state.scenes.map((scene) => found(state, scene)) : []),

  find(state, uuid) {
    const scene = state.scenes.find(({ id }) => `Scene.${id}` === uuid);
    return scene && found(state, scene);
  },

  insert(tx, { uuid, id }, data) {
    const columns = countAt(data, 'columns', 20, { min: 4, max: 60 });
    const rows = countAt(data, 'rows', 14, { min: 4, max: 60 });
    const floor = { kind: 'floor', x: 0, y: 0, width: columns, height: rows } as const;
    const scene: Scene = { id, name: 'Scene', columns, rows, shapes: [floor], tokens: [] };
    tx.state = { ...tx.state, scenes: [...tx.state.scenes, scene] };
    changeScene(tx, uuid, data);
  },

  change: changeScene,

  remove(tx, uuid) {
    const scenes = tx.state.scenes.filter(({ id }) => `Scene.${id}` !== uuid);
    const { activeSceneId } = tx.state;
    const isActive = scenes.some(({ id }) => id === activeSceneId);
    tx.state = { ...tx.state, scenes, activeSceneId: isActive ? activeSceneId : null };
  },
};

function changeScene(tx: Transaction, uuid: string, changes: Document): void {
  const given = mergeDocument({}, changes);
  const scenes = tx.state.scenes.map((scene) =>
    `Scene.${scene.id}` === uuid
      ? { ...scene, name: textAt(given, 'name', scene.name), more: mergeDocument(scene.more ?? {}, changes) }
      : scene,
  );
  tx.state = { ...tx.state, scenes };
}

function found(state: WorldState, scene: Scene): FoundDocument {
  const data = sceneDocument(scene, scene.id === state.activeSceneId);
  return { kind: 'Scene', uuid: `Scene.${scene.id}`, parent: null, data };
}

function sceneDocument(scene: Scene, active: boolean): Document {
  const { id, name, columns, rows, more } = scene;
  const known = {
    _id: id,
    uuid: `Scene.${id}`,
    name,
    active,
    width: columns,
    height: rows,
    grid: { type: 1, size: 1, distance: 5, units: 'ft' },
  };
  return withMore(known, { folder: null, ...more });
}
