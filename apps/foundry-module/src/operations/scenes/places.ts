import { tabletop } from '../../tabletop/foundry.ts';
import type { Scene } from '../../tabletop/documents.ts';
import { isName, notFound, shownScene } from '../acting.ts';

/** The ways in which an operation names a scene. */
export interface SceneReference {
  sceneId?: string | undefined;
  name?: string | undefined;
  active?: boolean | undefined;
  viewed?: boolean | undefined;
}

/** The scene that is named, or that this browser shows, or else the active one. */
export function findScene({ sceneId, name, viewed }: SceneReference): Scene {
  const { scenes } = tabletop.game;
  if (sceneId !== undefined) return known(scenes.get(sceneId), sceneId);
  if (name !== undefined)
    return known(
      scenes.find((scene) => isName(scene, name)),
      name,
    );
  return known(viewed ? shownScene() : (scenes.active ?? shownScene()), 'that is active');
}

function known(scene: Scene | null | undefined, name: string): Scene {
  if (!scene) throw notFound('scene', name);
  return scene;
}
