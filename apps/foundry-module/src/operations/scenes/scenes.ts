import { tabletop } from '../../tabletop/foundry.ts';
import { version } from '../../versions/version.ts';
import { assertMaster } from '../acting.ts';
import { vetoed } from '../call.ts';
import type { SomeHandlers } from '../call.ts';
import { change } from '../documents/entities.ts';
import { safeData } from '../guards/html.ts';
import { assertChange, assertCreator, assertLevel, may, tell, whole } from '../permissions.ts';
import { findScene } from './places.ts';

export const scenes = {
  'get-scene'({ all, ...reference }, { user }) {
    if (all) {
      const seen = tabletop.game.scenes.filter((scene) => may(user, scene, 'LIMITED'));
      return { data: seen.map((scene) => tell(user, scene)) };
    }
    const scene = findScene(reference);
    assertLevel(user, scene, 'LIMITED', 'see');
    return { data: tell(user, scene) };
  },

  async 'create-scene'({ data }, { user }) {
    const { documentClass } = tabletop.game.scenes;
    assertCreator(user, documentClass);
    const given = safeData(user, data, {});
    const owned = user === null ? given : { ...given, ownership: { default: 0, [user.id]: 3 } };
    const made = await documentClass.create(version().changesOf('Scene', owned));
    if (!made) throw vetoed('The scene');
    return { data: whole(user, made) };
  },

  async 'update-scene'({ data, ...reference }, { user }) {
    const scene = findScene(reference);
    await change(user, scene, data);
    return { data: whole(user, scene) };
  },

  async 'delete-scene'(reference, { user }) {
    const scene = findScene(reference);
    assertChange(user, scene, 'delete');
    await scene.delete();
    return { success: true };
  },

  async 'switch-scene'(reference, { user }) {
    assertMaster(user, 'switch scenes');
    const scene = findScene(reference);
    await scene.activate();
    return { success: true, data: whole(user, scene) };
  },
} satisfies SomeHandlers;
