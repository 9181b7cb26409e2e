import type { Document } from '../../document.ts';
import { idOf } from '../../documents.ts';
import type { Scene, SceneShape, WorldState } from '../../state.ts';
import type { Transaction } from '../../transaction.ts';
import { showScene } from '../../transaction.ts';
import type { DocumentRoom } from './document-room.ts';
import { countAt, flagAt, textAt } from './fields.ts';
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
    const { columns, rows } = sizeOf(data, { columns: 20, rows: 14 });
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
  const { activeSceneId } = tx.state;
  const scenes = tx.state.scenes.map((scene) =>
    `Scene.${scene.id}` === uuid
      ? {
          ...resized(scene, sizeOf(given, scene)),
          name: textAt(given, 'name', scene.name),
          more: mergeDocument(scene.more ?? {}, changes),
        }
      : scene,
  );
  tx.state = { ...tx.state, scenes };
  const wasActive = `Scene.${activeSceneId ?? ''}` === uuid;
  const isActive = flagAt(given, 'active', wasActive);
  if (isActive !== wasActive) showScene(tx, isActive ? idOf(uuid) : null);
}

interface Size {
  columns: number;
  rows: number;
}

/** The size that a document asks for, in grid squares: as tabletops write it, in units of `grid.size`. */
function sizeOf(given: Document, { columns, rows }: Size): Size {
  const unit = countAt(given, 'grid.size', 1, { min: 1 });
  const squares = (field: string, old: number) =>
    Math.min(60, Math.max(4, Math.round(countAt(given, field, old * unit) / unit)));
  return { columns: squares('width', columns), rows: squares('height', rows) };
}

/** Tokens stay within, and a floor that filled the scene goes on doing so. */
function resized(scene: Scene, { columns, rows }: Size): Scene {
  if (columns === scene.columns && rows === scene.rows) return scene;
  const fills = ({ kind, width, height }: SceneShape) =>
    kind === 'floor' && width === scene.columns && height === scene.rows;
  return {
    ...scene,
    columns,
    rows,
    shapes: scene.shapes.map((shape) => (fills(shape) ? { ...shape, width: columns, height: rows } : shape)),
    tokens: scene.tokens.map((token) => {
      const size = Math.min(token.size, columns, rows);
      return { ...token, size, x: Math.min(token.x, columns - size), y: Math.min(token.y, rows - size) };
    }),
  };
}

function found(state: WorldState, scene: Scene): FoundDocument {
  const data = sceneDocument(scene, scene.id === state.activeSceneId);
  return { kind: 'Scene', uuid: `Scene.${scene.id}`, parent: null, data };
}

/** A scene as a tabletop stores it, without what lies on it. */
export function sceneDocument(scene: Scene, active: boolean): Document {
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
  return withMore(known, { folder: null, background: { src: `scenes/${id}.png` }, ...more });
}
