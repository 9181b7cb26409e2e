import { describe, expect, test } from 'vitest';
import type { Document } from '../../document.ts';
import type { Scene } from '../../state.ts';
import { createWorld } from '../../world.ts';
import type { World } from '../../world.ts';

const sceneOf = (world: World, id: string): Scene => world.state().scenes.find((scene) => scene.id === id)!;

/** The crypt, 18 squares wide and 12 high, after a change of its document. */
function cryptAfter(data: Document): Scene {
  const world = createWorld({ seed: 1 });
  world.answer('update-scene', { sceneId: 'crypt', data });
  return sceneOf(world, 'crypt');
}

describe('a scene’s size', () => {
  test.each<[Document, columns: number, rows: number]>([
    [{}, 18, 12],
    [{ width: 20 }, 20, 12],
    [{ height: 10 }, 18, 10],
    [{ width: 60, height: 60 }, 60, 60],
    [{ width: 61, height: 61 }, 60, 60],
    [{ width: 4, height: 4 }, 4, 4],
    [{ width: 3, height: 0 }, 4, 4],
    [{ width: 2000, height: 1000, grid: { size: 100 } }, 20, 10],
    [{ width: 1949, height: 1050, grid: { size: 100 } }, 19, 11],
    [{ width: 2000, grid: { size: 100 } }, 20, 12],
    [{ width: 20, grid: { size: 0 } }, 20, 12],
    [{ width: 'wide' }, 18, 12],
  ])('is written in units of its grid, from 4 to 60 squares a side: %j', (data, columns, rows) => {
    expect(cryptAfter(data)).toMatchObject({ columns, rows });
  });

  test('moves tokens within, and makes those smaller that would not fit', () => {
    const world = createWorld({ seed: 1 });
    const uuid = 'Scene.crypt.Token.guardian';
    world.answer('update', { uuid, data: { width: 5, x: 12, y: 1 } });
    world.answer('update-scene', { sceneId: 'crypt', data: { width: 15 } });
    expect(sceneOf(world, 'crypt').tokens).toMatchObject([{ size: 5, x: 10, y: 1 }]);
    world.answer('update-scene', { sceneId: 'crypt', data: { height: 4 } });
    expect(sceneOf(world, 'crypt').tokens).toMatchObject([{ size: 4, x: 10, y: 0 }]);
    world.answer('update-scene', { sceneId: 'crypt', data: { width: 4, height: 9 } });
    expect(sceneOf(world, 'crypt').tokens).toMatchObject([{ size: 4, x: 0, y: 0 }]);
  });

  test('is that of its floor, as long as the floor fills it; all else that is drawn stays', () => {
    const world = createWorld({ seed: 1 });
    const made = world.answer('create-scene', { data: { name: 'Cave' } }).data as Document;
    const id = String(made['_id']);
    const floor = (width: number, height: number) => [{ kind: 'floor', x: 0, y: 0, width, height }];
    expect(sceneOf(world, id)).toMatchObject({ columns: 20, rows: 14, shapes: floor(20, 14), tokens: [] });
    world.answer('update-scene', { sceneId: id, data: { height: 30 } });
    expect(sceneOf(world, id).shapes).toEqual(floor(20, 30));
    const { shapes } = sceneOf(world, 'crypt');
    expect(cryptAfter({ width: 30, height: 30 }).shapes).toEqual(shapes);
  });

  test.each(['wall', 'floor'] as const)('is not that of a %s that only reaches along one side', (kind) => {
    const shape = { kind, x: 0, y: 0, width: 18, height: 1 };
    const { state } = createWorld();
    const scenes = state().scenes.map((scene) => ({ ...scene, shapes: [shape] }));
    const world = createWorld({ state: { ...state(), scenes } });
    world.answer('update-scene', { sceneId: 'crypt', data: { width: 30 } });
    expect(sceneOf(world, 'crypt').shapes).toEqual([shape]);
  });
});

describe('a scene', () => {
  test('has its own name and the fields that the rules know nothing of, and leaves other scenes alone', () => {
    const world = createWorld({ seed: 1 });
    const { scenes } = world.state();
    world.answer('update-scene', { sceneId: 'crypt', data: { name: 'Vault', 'flags.a': 1 } });
    world.answer('update-scene', { sceneId: 'crypt', data: { flags: { b: 2 }, name: 5 } });
    expect(world.answer('get-scene', { sceneId: 'crypt' }).data).toMatchObject({
      uuid: 'Scene.crypt',
      name: 'Vault',
      flags: { a: 1, b: 2 },
      active: false,
      width: 18,
      height: 12,
      background: { src: 'scenes/crypt.png' },
      grid: { type: 1, size: 1, distance: 5, units: 'ft' },
    });
    expect(sceneOf(world, 'chapel')).toBe(scenes[0]);
  });

  test('is called so where it is given no name', () => {
    expect(createWorld({ seed: 1 }).answer('create-scene', { data: {} }).data).toMatchObject({
      name: 'Scene',
      active: false,
      folder: null,
    });
  });

  test('that is shown stays so when it is changed, with what is selected on it', () => {
    const world = createWorld({ seed: 1 });
    for (const data of [{ name: 'Nave' }, { active: true }, { active: 'no' }]) {
      world.answer('update-scene', { sceneId: 'chapel', data });
      expect(world.state().activeSceneId).toBe('chapel');
      expect(world.state().selection).toEqual(['Scene.chapel.Token.mira']);
    }
  });

  test('that is not shown stays so, and once it is shown nothing is selected', () => {
    const world = createWorld({ seed: 1 });
    world.answer('update-scene', { sceneId: 'crypt', data: { active: false } });
    expect(world.state()).toMatchObject({ activeSceneId: 'chapel' });
    expect(world.state().selection).toHaveLength(1);
    world.answer('update-scene', { sceneId: 'crypt', data: { active: true } });
    expect(world.state()).toMatchObject({ activeSceneId: 'crypt', selection: [] });
  });

  test('that goes takes the view along only if it was the one that is shown', () => {
    const world = createWorld({ seed: 1 });
    const made = world.answer('create-scene', { data: {} }).data as Document;
    world.answer('delete', { uuid: 'Scene.crypt' });
    expect(world.state().activeSceneId).toBe('chapel');
    world.answer('delete', { uuid: 'Scene.chapel' });
    expect(world.state().activeSceneId).toBeNull();
    expect(world.state().scenes.map(({ id }) => id)).toEqual([made['_id']]);
  });
});
