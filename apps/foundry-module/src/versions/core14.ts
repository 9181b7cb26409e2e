import type { Data, FoundryDocument } from '../tabletop/documents.ts';
import { core13 } from './core13.ts';
import { isData, listOf, modeOfType, typeOfMode } from './core-version.ts';
import type { CoreVersion } from './core-version.ts';

interface Operators {
  foundry: { data: { operators: { ForcedDeletion: new () => unknown } } };
}

/** 14: scenes have levels, effects keep their changes in `system`, and what deletes a key is an object. */
export const core14: CoreVersion = {
  ...core13,
  templateKind: 'Region',

  changesOf(kind, data, changed) {
    const adapted =
      kind === 'ActiveEffect' ? effectOf(data) : kind === 'Scene' ? sceneOf(data, changed) : data;
    return withDeletions(adapted);
  },

  backgroundOf(scene) {
    const { levels, initialLevel } = scene.toObject();
    const all = listOf(levels);
    const level = all.find(({ _id }) => _id === initialLevel) ?? all[0];
    const background = level?.['background'];
    const src = isData(background) ? background['src'] : undefined;
    return typeof src === 'string' && src !== '' ? src : null;
  },

  effectChanges(effect) {
    const { system } = effect.toObject();
    return listOf(isData(system) ? system['changes'] : undefined).map((change) => {
      const mode = modeOfType(change['type']);
      return { ...change, ...(mode !== undefined && { mode }) };
    });
  },
};

/** `-=key: null`, in nested objects and at the end of a path. */
function withDeletions(data: Data): Data {
  const entries = Object.entries(data).map(([key, value]): [string, unknown] => {
    const parts = /^(.*\.)?-=([^.]+)$/.exec(key);
    if (parts) {
      const { ForcedDeletion } = (globalThis as unknown as Operators).foundry.data.operators;
      return [`${parts[1] ?? ''}${parts[2]}`, new ForcedDeletion()];
    }
    const isPlain = isData(value) && Object.getPrototypeOf(value) === Object.prototype;
    return [key, isPlain ? withDeletions(value) : value];
  });
  return Object.fromEntries(entries);
}

function effectOf({ icon, changes, ...effect }: Data): Data {
  const adapted: Data = { ...(icon !== undefined && { img: icon }), ...effect };
  if (changes === undefined) return adapted;
  const system = isData(adapted['system']) ? adapted['system'] : {};
  return { ...adapted, system: { ...system, changes: listOf(changes).map(withType) } };
}

function withType({ mode, ...change }: Data): Data {
  return { ...change, type: change['type'] ?? typeOfMode(mode) ?? 'add' };
}

/** The level that a new scene begins with. */
const firstLevel = 'defaultLevel0000';

/** A background that a caller gives as before goes to the level that the scene begins with. */
function sceneOf({ background, 'background.src': path, ...scene }: Data, changed?: FoundryDocument): Data {
  const src = isData(background) ? background['src'] : path;
  if (src === undefined || 'levels' in scene) return scene;
  if (!changed) {
    const level = { _id: firstLevel, name: 'Level 1', background: { src } };
    return { ...scene, levels: [level], initialLevel: firstLevel };
  }
  const { levels, initialLevel } = changed.toObject();
  const _id = initialLevel ?? listOf(levels)[0]?.['_id'];
  return { ...scene, levels: [{ _id, background: { src } }] };
}
