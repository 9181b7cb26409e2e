import { describe, expect, test } from 'vitest';
import { createWorld } from '../../world.ts';

const refusal = (code: string) => expect.objectContaining({ code }) as Error;

describe('scenes', () => {
  test('are made, found by name, changed and deleted, and the active one is shown to everyone', () => {
    const world = createWorld({ seed: 1 });
    const made = world.answer('create-scene', { data: { name: 'The bell tower', width: 12, height: 10 } });
    expect(made.data).toMatchObject({ name: 'The bell tower', width: 12, height: 10, active: false });
    world.answer('switch-scene', { name: 'the bell tower' });
    expect(world.answer('get-scene', { active: true }).data).toMatchObject({ name: 'The bell tower' });
    expect(world.state().selection).toEqual([]);
    world.answer('update-scene', { viewed: true, data: { width: 900, height: 500, grid: { size: 100 } } });
    expect(world.state().scenes.at(-1)).toMatchObject({ columns: 9, rows: 5, shapes: [{ width: 9 }] });
    world.answer('delete-scene', { active: true });
    expect(world.state().activeSceneId).toBeNull();
    expect(() => world.answer('get-scene', { viewed: true })).toThrow(refusal('entity_not_found'));
    expect(world.answer('get-scene', { all: true }).data).toHaveLength(2);
  });

  test('become active by their document too, and tokens stay within one that shrinks', () => {
    const world = createWorld({ seed: 1 });
    world.answer('update-scene', { sceneId: 'crypt', data: { active: true, width: 10 } });
    expect(world.state().activeSceneId).toBe('crypt');
    const [guardian] = world.state().scenes[1]!.tokens;
    expect(guardian).toMatchObject({ x: 9, y: 6 });
    world.answer('update-scene', { sceneId: 'crypt', data: { active: false } });
    expect(world.state().activeSceneId).toBeNull();
  });

  test('are kept from players, but for the active one without its secrets', () => {
    const world = createWorld({ seed: 1 });
    const read = (reference: object) => world.answer('get-scene', reference, { userId: 'Ben' }).data;
    expect(() => read({ sceneId: 'crypt' })).toThrow(refusal('permission_denied'));
    expect(JSON.stringify(read({ active: true }))).toContain('Mira Thornwood');
    expect(JSON.stringify(read({ all: true }))).not.toMatch(/Drowned Ghoul|Stair under the altar|crypt/);
    world.answer('update-scene', { sceneId: 'crypt', data: { ownership: { ben: 1 } } });
    expect(read({ sceneId: 'crypt' })).toEqual({
      uuid: 'Scene.crypt',
      name: 'The Crypt Below',
      type: null,
      img: null,
    });
    for (const [operation, more] of [
      ['create-scene', { data: {} }],
      ['update-scene', { active: true, data: {} }],
      ['delete-scene', { active: true }],
      ['switch-scene', { sceneId: 'crypt' }],
    ] as const)
      expect(() => world.answer(operation, more, { userId: 'Ben' })).toThrow(refusal('permission_denied'));
  });
});

describe('what lies on a scene', () => {
  test.each([
    ['tokens', { actorId: 'cultist', x: 3, y: 3 }],
    ['tiles', { x: 3, y: 3, width: 2, height: 1 }],
    ['drawings', { x: 3, y: 3, shape: { type: 'r', width: 2, height: 1 } }],
    ['lights', { x: 3, y: 3, config: { dim: 10 } }],
    ['sounds', { x: 3, y: 3, radius: 10, path: 'sounds/drips.ogg' }],
    ['notes', { x: 3, y: 3, text: 'Here' }],
    ['templates', { t: 'circle', x: 3, y: 3, distance: 10 }],
    ['walls', { c: [3, 3, 3, 6] }],
    ['regions', { name: 'Here', shapes: [{ type: 'rectangle', x: 3, y: 3, width: 2, height: 1 }] }],
  ])('is put there, read, changed and taken away: %s', (documentType, data) => {
    const world = createWorld({ seed: 1 });
    const on = { documentType, sceneId: 'crypt' };
    const count = () => world.answer('get-canvas-documents', on).data.length;
    const before = count();
    const { data: made } = world.answer('create-canvas-document', { ...on, data: [data, data] });
    const [first, second] = made.map(({ _id }) => String(_id));
    expect(made[0]).toMatchObject(data);
    expect(count()).toBe(before + 2);
    const changed = world.answer('update-canvas-document', { ...on, documentId: first, data: { x: 4 } });
    expect(changed).toMatchObject({ sceneId: 'crypt', documentType, data: [{ _id: first, x: 4 }] });
    const one = world.answer('get-canvas-documents', { ...on, documentId: second });
    expect(one.data).toMatchObject([{ _id: second, ...data }]);
    world.answer('delete-canvas-document', { ...on, documentId: [first, second] });
    expect(count()).toBe(before);
    const again = () => world.answer('delete-canvas-document', { ...on, documentId: first });
    expect(again).toThrow(refusal('entity_not_found'));
  });

  test('is changed as a whole or not at all', () => {
    const world = createWorld({ seed: 1 });
    const before = world.state();
    const call = { documentType: 'walls', sceneId: 'crypt', documentId: ['vault-gate', 'none'] };
    expect(() => world.answer('delete-canvas-document', call)).toThrow(refusal('entity_not_found'));
    expect(world.state()).toBe(before);
  });

  test('is seen by players unless it is hidden, and changed by none of them', () => {
    const world = createWorld({ seed: 1 });
    const read = (more: object) => world.answer('get-canvas-documents', more, { userId: 'Ben' }).data;
    expect(read({ documentType: 'tokens' })).toHaveLength(7);
    expect(read({ documentType: 'notes' })).toEqual([]);
    const secret = { documentType: 'notes', documentId: 'trapdoor' };
    expect(() => read(secret)).toThrow(refusal('entity_not_found'));
    expect(() => world.answer('entity', { uuid: 'Scene.chapel.Note.trapdoor' }, { userId: 'Ben' })).toThrow(
      refusal('entity_not_found'),
    );
    expect(() => read({ documentType: 'walls', sceneId: 'crypt' })).toThrow(refusal('permission_denied'));
    const put = { documentType: 'notes', data: { x: 1, y: 1 } };
    expect(() => world.answer('create-canvas-document', put, { userId: 'Ben' })).toThrow(
      refusal('permission_denied'),
    );
  });
});

describe('tokens', () => {
  test('move to the nearest square, within the scene, by a game master’s hand', () => {
    const world = createWorld({ seed: 1 });
    const move = (more: object, userId?: string) =>
      world.answer('move-token', { name: 'borin ironhand', ...more }, { userId }).data;
    expect(move({ x: 9.6, y: 3.2, waypoints: [{ x: 9, y: 6 }], animate: false })).toMatchObject({
      tokenUuid: 'Scene.chapel.Token.borin',
      x: 10,
      y: 3,
      sceneId: 'chapel',
    });
    expect(() => move({ x: 24, y: 3 })).toThrow(refusal('out_of_bounds'));
    expect(() => move({ x: 3, y: 3, waypoints: [{ x: 3, y: 99 }] })).toThrow(refusal('out_of_bounds'));
    expect(() => move({ x: 3, y: 3 }, 'Cleo')).toThrow(refusal('permission_denied'));
  });

  test('move on the scene on which they stand, whichever is shown', () => {
    const world = createWorld({ seed: 1 });
    const move = (more: object) => world.answer('move-token', { x: 17, y: 11, ...more }).data;
    const guardian = { tokenUuid: 'Scene.crypt.Token.guardian', x: 17, y: 11, sceneId: 'crypt' };
    expect(move({ uuid: 'Scene.crypt.Token.guardian' })).toMatchObject(guardian);
    expect(move({ name: 'CRYPT ghoul', sceneId: 'crypt', x: 0, y: 0 })).toMatchObject({ x: 0, y: 0 });
    for (const place of [{ x: 18 }, { y: 12 }, { x: -1 }, { y: -1 }])
      expect(() => move({ uuid: 'Scene.crypt.Token.guardian', ...place })).toThrow(refusal('out_of_bounds'));
    for (const name of ['Crypt Ghoul', 'Nobody'])
      expect(() => move({ name })).toThrow(refusal('entity_not_found'));
    world.perform({ kind: 'activate-scene', sceneId: 'crypt' });
    const at = { kind: 'move-token', tokenUuid: 'Scene.chapel.Token.borin' } as const;
    world.perform({ ...at, x: 23, y: 15 });
    for (const place of [
      { x: 24, y: 0 },
      { x: 0, y: 16 },
    ])
      expect(() => world.perform({ ...at, ...place })).toThrow(refusal('out_of_bounds'));
  });

  test('are measured on the scene that is named, and one scene after the other', () => {
    const world = createWorld({ seed: 1 });
    const measure = (more: object) => world.answer('measure-distance', more).data;
    const crypt = { sceneId: 'crypt', originX: 14.5, originY: 2.5, targetName: 'crypt ghoul' };
    expect(measure(crypt)).toEqual({
      distance: 20,
      units: 'ft',
      origin: { x: 14.5, y: 2.5 },
      target: { x: 14.5, y: 6.5 },
      sceneId: 'crypt',
    });
    expect(() => measure({ ...crypt, sceneId: 'chapel' })).toThrow(refusal('entity_not_found'));
    const points = { originX: 0, originY: 0, targetX: 3, targetY: 4 };
    expect(measure(points)).toMatchObject({ distance: 20, sceneId: 'chapel' });
    expect(measure({ ...points, originX: 6.4, originY: 4 })).toMatchObject({ distance: 15 });
    world.answer('update', { uuid: 'Scene.chapel.Token.borin', data: { width: 2 } });
    expect(measure({ ...points, targetName: 'Borin Ironhand', targetX: undefined })).toMatchObject({
      target: { x: 9, y: 9 },
    });
  });

  test('and points are measured from middle to middle, hidden ones for game masters alone', () => {
    const world = createWorld({ seed: 1 });
    const measure = (more: object, userId?: string) =>
      world.answer('measure-distance', { originName: 'Mira Thornwood', ...more }, { userId }).data;
    expect(measure({ targetUuid: 'Scene.chapel.Token.ghoul' })).toMatchObject({ distance: 45, units: 'ft' });
    expect(measure({ targetX: 5.5, targetY: 10.5, targetName: 'Ghoul' })).toMatchObject({
      distance: 20,
      target: { x: 5.5, y: 10.5 },
    });
    // Half a point is none.
    const ghoul = measure({ targetName: 'Ghoul' }).target;
    for (const half of [{ targetX: 1 }, { targetY: 1 }])
      expect(measure({ ...half, targetName: 'Ghoul' }).target).toEqual(ghoul);
    expect(measure({ targetName: 'Drowned Ghoul' }).distance).toBe(55);
    for (const target of [{ targetName: 'Drowned Ghoul' }, { targetUuid: 'Scene.chapel.Token.lurker' }])
      expect(() => measure(target, 'Ben')).toThrow(refusal('entity_not_found'));
  });
});
