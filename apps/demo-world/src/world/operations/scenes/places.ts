import { Refusal } from '../../refusal.ts';
import type { Scene, Token, WorldState } from '../../state.ts';
import { knownDocument } from '../../store/find-documents.ts';
import type { FoundDocument } from '../../store/stored-document.ts';

/** The ways in which an operation names a scene. The one that is viewed is the active one. */
export interface SceneReference {
  sceneId?: string | undefined;
  name?: string | undefined;
  active?: boolean | undefined;
  viewed?: boolean | undefined;
}

/** The scene that is named, or else the active one. */
export function findScene(state: WorldState, { sceneId, name }: SceneReference): Scene {
  const { scenes, activeSceneId } = state;
  const isMeant = (scene: Scene): boolean => {
    if (sceneId !== undefined) return scene.id === sceneId;
    return name === undefined ? scene.id === activeSceneId : scene.name.toLowerCase() === name.toLowerCase();
  };
  const scene = scenes.find(isMeant);
  if (scene) return scene;
  const wanted = sceneId ?? name;
  throw new Refusal(
    'entity_not_found',
    wanted === undefined ? 'No scene is active' : `There is no scene ${wanted}`,
  );
}

export function documentOfScene(state: WorldState, { id }: Scene): FoundDocument {
  return knownDocument(state, `Scene.${id}`);
}

/** The scene that a token stands on. */
export function sceneOf({ scenes }: WorldState, token: Token): Scene {
  const scene = scenes.find(({ tokens }) => tokens.some(({ uuid }) => uuid === token.uuid));
  if (!scene) throw new Refusal('entity_not_found', `${token.name} stands on no scene`);
  return scene;
}

/** Refuses a place, in grid squares from the top left, that a token could not stand on. */
export function assertInside(scene: Scene, token: Token, { x, y }: { x: number; y: number }): void {
  const isInside = x >= 0 && y >= 0 && x + token.size <= scene.columns && y + token.size <= scene.rows;
  if (!isInside) throw new Refusal('out_of_bounds', `${token.name} can’t leave the scene`);
}
