import { describe, expect, test } from 'vitest';
import { createWorld } from '../../world.ts';
import type { World } from '../../world.ts';

const refusal = (code: string) => expect.objectContaining({ code }) as Error;

function playing(world: World, id: string): string[] {
  const list = world.answer('get-playlists', {}).data.playlists.find((one) => one.id === id)!;
  const sounds = list.sounds.filter((sound) => sound.playing).map((sound) => sound.id);
  expect(list.playing).toBe(sounds.length > 0);
  return sounds;
}

describe('a playlist', () => {
  test('plays one sound after the other, or the one that is named, and stops', () => {
    const world = createWorld({ seed: 1 });
    const depths = { playlistName: 'the DEPTHS' };
    expect(playing(world, 'depths')).toEqual(['drips']);
    for (const next of ['chant', 'bell', 'drips']) {
      world.answer('playlist-next', depths);
      expect(playing(world, 'depths')).toEqual([next]);
    }
    world.answer('playlist-play', { ...depths, soundName: 'the drowned bell' });
    expect(playing(world, 'depths')).toEqual(['bell']);
    world.answer('playlist-stop', depths);
    expect(playing(world, 'depths')).toEqual([]);
    world.answer('playlist-play', depths);
    expect(playing(world, 'depths')).toEqual(['drips']);
    expect(() => world.answer('playlist-play', { ...depths, soundId: 'none' })).toThrow(
      refusal('entity_not_found'),
    );
  });

  test('that is shuffled goes on to another, and all play where they play together', () => {
    const world = createWorld({ seed: 1 });
    const combat = { playlistId: 'combat' };
    world.answer('playlist-play', combat);
    const first = playing(world, 'combat');
    expect(first).toHaveLength(1);
    world.answer('playlist-next', combat);
    expect(playing(world, 'combat')).not.toEqual(first);
    world.answer('update', { uuid: 'Playlist.combat', data: { mode: 2 } });
    world.answer('playlist-play', combat);
    expect(playing(world, 'combat')).toHaveLength(2);
    world.answer('playlist-stop', combat);
    world.answer('update', { uuid: 'Playlist.combat', data: { mode: -1 } });
    world.answer('playlist-play', combat);
    expect(playing(world, 'combat')).toEqual([]);
  });

  test('that plays together lets those go on that play when another is named', () => {
    const world = createWorld({ seed: 1 });
    const combat = { playlistId: 'combat' };
    for (const mode of [-1, 2]) {
      world.answer('update', { uuid: 'Playlist.combat', data: { mode } });
      for (const soundId of ['claws', 'blades']) world.answer('playlist-play', { ...combat, soundId });
      expect(playing(world, 'combat').toSorted()).toEqual(['blades', 'claws']);
      world.answer('playlist-stop', combat);
    }
  });

  test.each([
    [-1, -1],
    [2, 2],
    [3, 0],
    [-2, 0],
    [0.5, 0],
    ['1', 0],
  ])('whose mode is written as %j has the mode %i', (mode, told) => {
    const world = createWorld({ seed: 1 });
    world.answer('update', { uuid: 'Playlist.combat', data: { mode } });
    const [, combat] = world.answer('get-playlists', {}).data.playlists;
    expect(combat).toMatchObject({ id: 'combat', mode: told });
  });

  test('is told with its sounds, by name or as they were added, and with what is not said of them', () => {
    const world = createWorld({ seed: 1 });
    const data = {
      name: 'Sea',
      sorting: 'm',
      fade: 500,
      folder: 'handouts',
      sounds: [
        { _id: 'waves', name: 'Waves', path: 'waves.ogg', volume: 0.3, repeat: true, fade: 100 },
        { _id: 'gulls', name: 'Gulls' },
      ],
    };
    const { uuid } = world.answer('create', {
      entityType: 'Playlist',
      data: { _id: 'sea', ...data },
      keepId: true,
    });
    const told = () => world.answer('get-playlists', {}).data.playlists.find(({ id }) => id === 'sea')!;
    const plain = { playing: false, fade: null, path: null, volume: 1, repeat: false };
    expect(told()).toEqual({
      id: 'sea',
      name: 'Sea',
      playing: false,
      fade: 500,
      description: '',
      mode: 0,
      folder: 'handouts',
      sorting: 'm',
      sounds: [
        { ...plain, id: 'waves', name: 'Waves', path: 'waves.ogg', volume: 0.3, repeat: true, fade: 100 },
        { ...plain, id: 'gulls', name: 'Gulls' },
      ],
    });
    world.answer('update', { uuid, data: { '-=sorting': null, '-=folder': null } });
    expect(told()).toMatchObject({ sorting: 'a', folder: null, sounds: [{ id: 'gulls' }, { id: 'waves' }] });
  });

  test('begins with its first sound where none says that it plays', () => {
    const world = createWorld({ seed: 1 });
    const data = { name: 'Sea', sounds: [{ name: 'Gulls' }, { name: 'Waves' }] };
    world.answer('create', { entityType: 'Playlist', data });
    const { playlist } = world.answer('playlist-play', { playlistName: 'Sea' }).data;
    expect(playlist.sounds).toMatchObject([{ playing: true }, { playing: false }]);
  });

  test('that has one sound or none goes on with it, or with nothing', () => {
    const world = createWorld({ seed: 1 });
    for (const mode of [0, 1]) {
      const { uuid } = world.answer('create', { entityType: 'Playlist', data: { name: 'New', mode } });
      const named = { playlistId: uuid.slice('Playlist.'.length) };
      for (const operation of ['playlist-play', 'playlist-next', 'playlist-stop'] as const)
        expect(world.answer(operation, named).data.playlist).toMatchObject({ playing: false, sounds: [] });
      world.answer('update', { uuid, data: { sounds: [{ name: 'One' }] } });
      for (const operation of ['playlist-play', 'playlist-next', 'playlist-next'] as const)
        expect(world.answer(operation, named).data.playlist).toMatchObject({ sounds: [{ playing: true }] });
    }
  });

  test('that plays on demand or together has no next sound', () => {
    const world = createWorld({ seed: 1 });
    for (const mode of [-1, 2]) {
      world.answer('update', { uuid: 'Playlist.depths', data: { mode } });
      const before = world.state();
      world.answer('playlist-next', { playlistId: 'depths' });
      expect(world.state()).toBe(before);
    }
  });

  test('that is named wrongly is refused', () => {
    const world = createWorld({ seed: 1 });
    for (const reference of [{ playlistId: 'none' }, { playlistName: 'none' }])
      expect(() => world.answer('playlist-stop', reference)).toThrow(refusal('entity_not_found'));
  });

  test('has the volume of each of its sounds', () => {
    const world = createWorld({ seed: 1 });
    const set = (more: object) =>
      world
        .answer('playlist-volume', { playlistId: 'combat', ...more })
        .data.playlist.sounds.map((sound) => sound.volume);
    expect(set({ soundId: 'claws', volume: 0.2 })).toEqual([0.5, 0.2]);
    expect(set({ volume: 1 })).toEqual([1, 1]);
    expect(() => set({ volume: 1.1 })).toThrow(refusal('invalid_parameters'));
  });
});

test('a sound by itself ends after a while, unless it loops, and can be stopped', () => {
  let now = 1_000;
  const world = createWorld({ seed: 1, now: () => now });
  world.answer('play-sound', { src: 'sounds/bell.ogg' });
  world.answer('play-sound', { src: 'sounds/rain.ogg', loop: true, volume: 0.1 });
  expect(world.state().sounds).toMatchObject([{ volume: 0.5 }, { volume: 0.1 }]);
  now += 60_000;
  expect(world.answer('stop-sound', { src: 'sounds/bell.ogg' }).data.stopped).toBe(0);
  expect(world.answer('stop-sound', {}).data).toEqual({ stopped: 1, src: null });
  for (let count = 0; count < 30; count += 1) world.answer('play-sound', { src: 'x', loop: true });
  expect(world.answer('stop-sound', { src: 'x' }).data.stopped).toBe(20);
});

test('only game masters play and stop', () => {
  const world = createWorld({ seed: 1 });
  const calls = [
    ['playlist-play', { playlistId: 'combat' }],
    ['playlist-stop', { playlistId: 'depths' }],
    ['playlist-next', { playlistId: 'depths' }],
    ['playlist-volume', { playlistId: 'depths', volume: 0 }],
    ['play-sound', { src: 'x' }],
    ['stop-sound', {}],
  ] as const;
  for (const [operation, parameters] of calls)
    expect(() => world.answer(operation, parameters, { userId: 'Ben' })).toThrow(
      refusal('permission_denied'),
    );
  const playlists = () => world.answer('get-playlists', {}, { userId: 'Ben' }).data.playlists;
  expect(playlists()).toEqual([]);
  world.answer('update', { uuid: 'Playlist.depths', data: { ownership: { default: 2 } } });
  expect(playlists()).toMatchObject([{ id: 'depths' }]);
});
