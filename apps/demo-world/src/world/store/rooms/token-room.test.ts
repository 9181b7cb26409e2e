import { describe, expect, test } from 'vitest';
import { refusal, token } from '../../../../test/look-up.ts';
import type { Document } from '../../document.ts';
import type { Token } from '../../state.ts';
import { createWorld } from '../../world.ts';
import type { World } from '../../world.ts';
import { documentsOf } from '../find-documents.ts';

const put = (world: World, data: Document, sceneId = 'chapel') =>
  world.answer('create-canvas-document', { documentType: 'tokens', sceneId, data }).data[0]!;

function tokenOf(world: World, uuid: unknown): Token | undefined {
  return world
    .state()
    .scenes.flatMap(({ tokens }) => tokens)
    .find((one) => one.uuid === uuid);
}

describe('a new token', () => {
  test('stands for the actor that is named, by id or UUID, in the corner and under its name', () => {
    const world = createWorld({ seed: 1 });
    const plain = { name: 'Cultist', actorUuid: 'Actor.cultist', x: 0, y: 0, size: 1, hidden: false };
    for (const data of [{ actorId: 'cultist' }, { actorUuid: 'Actor.cultist' }])
      expect(tokenOf(world, put(world, data)['uuid'])).toMatchObject(plain);
    const both = put(world, { actorId: 'cultist', actorUuid: 'Actor.mira' });
    expect(tokenOf(world, both['uuid'])).toMatchObject(plain);
  });

  test.each([{}, { actorId: 'nobody' }, { actorUuid: 'Actor.nobody' }, { actorId: 'nobody', actorUuid: 'Actor.mira' }])(
    'for no actor of the world is refused: %j',
    (data) => {
      const world = createWorld({ seed: 1 });
      const before = world.state();
      expect(() => put(world, data)).toThrow(refusal('invalid_data'));
      expect(world.state()).toBe(before);
    },
  ); // prettier-ignore

  test('comes onto the scene that is named, and onto no other', () => {
    const world = createWorld({ seed: 1 });
    const [chapel, crypt] = world.state().scenes;
    const { uuid } = put(world, { actorId: 'cultist', x: 3, y: 2, hidden: true }, 'crypt');
    expect(uuid).toMatch(/^Scene\.crypt\.Token\./);
    const [chapelNow, cryptNow] = world.state().scenes;
    expect(chapelNow).toBe(chapel);
    expect(cryptNow?.tokens.map((one) => one.uuid)).toEqual([
      ...(crypt?.tokens.map((one) => one.uuid) ?? []),
      uuid,
    ]);
    expect(tokenOf(world, uuid)).toMatchObject({ x: 3, y: 2, hidden: true, color: '#7a7468' });
  });
});

describe('a token’s document', () => {
  const change = (data: Document, uuid = token('mira')) => {
    const world = createWorld({ seed: 1 });
    world.answer('update', { uuid, data });
    return tokenOf(world, uuid);
  };

  test.each<[Document, Partial<Token>]>([
    [{ name: 'Mi' }, { name: 'Mi', x: 5, y: 6 }],
    [
      { x: 23, y: 15 },
      { x: 23, y: 15 },
    ],
    [
      { x: 24, y: 16 },
      { x: 23, y: 15 },
    ],
    [
      { x: -1, y: -1 },
      { x: 0, y: 0 },
    ],
    [{ width: 3 }, { size: 3, x: 5, y: 6 }],
    [
      { width: 3, x: 23, y: 15 },
      { size: 3, x: 21, y: 13 },
    ],
    [{ width: 0 }, { size: 1 }],
    [
      { width: 17, x: 9, y: 9 },
      { size: 16, x: 8, y: 0 },
    ],
    [{ hidden: true }, { hidden: true }],
    [{ hidden: 'yes' }, { hidden: false }],
  ])('moves it, within the scene, and makes it larger: %j', (data, expected) => {
    expect(change(data)).toMatchObject(expected);
  });

  test('is a part of its scene', () => {
    const { parent } = documentsOf(createWorld({ seed: 1 }).state(), 'Token', 'Scene.chapel')[0]!;
    expect(parent).toBe('Scene.chapel');
  });

  test('keeps what the rules know nothing of', () => {
    const world = createWorld({ seed: 1 });
    world.answer('update', { uuid: token('mira'), data: { 'light.dim': 20 } });
    world.answer('update', { uuid: token('mira'), data: { light: { bright: 10 } } });
    expect(world.answer('entity', { uuid: token('mira') }).data).toMatchObject({
      light: { dim: 20, bright: 10 },
      x: 5,
      width: 1,
      height: 1,
      actor: { name: 'Mira Thornwood' },
    });
  });

  test('goes alone, and only from the scene on which it lies', () => {
    const world = createWorld({ seed: 1 });
    const [chapel, crypt] = world.state().scenes;
    world.answer('delete', { uuid: token('theron') });
    const [chapelNow, cryptNow] = world.state().scenes;
    expect(chapelNow?.tokens).toEqual(chapel?.tokens.filter(({ uuid }) => uuid !== token('theron')));
    expect(cryptNow).toBe(crypt);
  });

  test.each(['Scene.chapel.Token.guardian', 'Scene.crypt.Token.mira', 'Scene.none.Token.mira'])(
    'is not found on another scene: %s',
    (uuid) => {
      expect(() => createWorld().answer('entity', { uuid })).toThrow(refusal('entity_not_found'));
    },
  );
});
