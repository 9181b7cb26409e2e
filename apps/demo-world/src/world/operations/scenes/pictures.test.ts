import { expect, test } from 'vitest';
import type { Paint } from '../../outside.ts';
import { createWorld } from '../../world.ts';

const refusal = (code: string) => expect.objectContaining({ code }) as Error;

/** A world whose pictures stay what the world drew. */
function createDrawnWorld() {
  const paint: Paint = (svg) => Promise.resolve(svg);
  const world = createWorld({ seed: 1, outside: { paint } });
  const ask = <N extends 'scene-screenshot' | 'scene-raw-image'>(
    operation: N,
    parameters: object,
    userId?: string,
  ) => world.receive<N>({ requestId: 'x', operation, parameters, userId });
  return { ...world, ask };
}

test('a picture shows tokens and what lies on the scene, and to a player nothing that is hidden', async () => {
  const world = createDrawnWorld();
  const take = async (more: object = {}, userId?: string) =>
    (await world.ask('scene-screenshot', more, userId)).imageData;
  for (const seen of ['Mira Thornwood', 'Drowned Ghoul', 'Stair under the altar'])
    expect(await take()).toContain(seen);
  for (const seen of ['Mira Thornwood', 'Borin Ironhand']) expect(await take({}, 'Ben')).toContain(seen);
  expect(await take({}, 'Ben')).not.toMatch(/Drowned Ghoul|Stair under the altar/);
  const grid = /stroke="#ddd2bb"/;
  expect(await take()).toMatch(grid);
  expect(await take({ hideOverlays: true })).not.toMatch(grid);
  expect(await take({ hideOverlays: true, showGrid: true })).toMatch(grid);
  expect(await take({ hideOverlays: true })).not.toContain('Mira Thornwood');
});

test('a picture shows whose turn it is, where overlays are shown and the fight is on', async () => {
  const halo = /r="0\.56[\d]*" fill="[^"]+" fill-opacity="\.28"/g;
  const world = createDrawnWorld();
  const turnIn = async (more: object = {}) => {
    const { imageData } = await world.ask('scene-screenshot', more);
    const groups = imageData.split('<g transform=').filter((group) => group.match(halo));
    return groups.map((group) => /translate\(([\d. ]+)\)/.exec(`<g transform=${group}`)?.[1]);
  };
  // Mira stands at 5, 6 and the ghoul at 14, 8.
  expect(await turnIn()).toEqual(['5.5 6.5']);
  world.answer('start-encounter', { tokens: ['Scene.chapel.Token.ghoul'] });
  expect(await turnIn()).toEqual(['14.5 8.5']);
  expect(await turnIn({ hideOverlays: true })).toEqual([]);
  world.answer('end-encounter', {});
  world.answer('end-encounter', {});
  expect(await turnIn()).toEqual([]);
});

test('a picture is cut out of the middle, and never larger than 2048 pixels', async () => {
  const world = createDrawnWorld();
  const sizeOf = async (more: object) => {
    const { width, height } = await world.ask('scene-screenshot', more);
    return [width, height];
  };
  expect(await sizeOf({})).toEqual([1536, 1024]);
  expect(await sizeOf({ width: 640, height: 128 })).toEqual([640, 128]);
  expect(await sizeOf({ width: 8192, height: 8192 })).toEqual([2048, 2048]);
  expect(await sizeOf({ width: 640, viewport: true })).toEqual([1536, 1024]);
  const { imageData } = await world.ask('scene-screenshot', { width: 640, height: 128 });
  expect(imageData).toContain('viewBox="7 7 10 2"');
});

test('only the scene that is shown can be taken a picture of', async () => {
  const world = createDrawnWorld();
  await expect(world.ask('scene-screenshot', { sceneId: 'crypt' })).rejects.toThrow(refusal('not_viewed'));
  world.answer('switch-scene', { sceneId: 'crypt' });
  expect((await world.ask('scene-screenshot', {})).imageData).toContain('Crypt Ghoul');
});

test('names and colours from anywhere stand in a picture as text alone', async () => {
  const world = createDrawnWorld();
  const evil = '"><script>&\u0000\ud800';
  world.answer('update', { uuid: 'Scene.chapel.Token.mira', data: { name: evil } });
  const drawing = {
    x: 1,
    y: '1"/><x',
    text: evil,
    strokeColor: '"/><x',
    shape: { type: 'p', points: [1, evil, 1e9, 2] },
  };
  world.answer('create-canvas-document', { documentType: 'drawings', data: drawing });
  const { imageData: svg } = await world.ask('scene-screenshot', {});
  expect(svg).toContain('&quot;&gt;&lt;script&gt;&amp;');
  expect(svg).not.toMatch(/<script|<x|NaN|1000000000|undefined/);
});

test('the background image is the ground alone, or the file that the scene names, where the world has it', async () => {
  const world = createDrawnWorld();
  const fetch = async (userId?: string) =>
    (await world.ask('scene-raw-image', { sceneId: 'crypt' }, userId)).data;
  expect(await fetch()).toMatchObject({ src: 'scenes/crypt.png', sceneName: 'The Crypt Below' });
  expect((await fetch()).imageData).not.toContain('Crypt Ghoul');
  await expect(fetch('Ben')).rejects.toThrow(refusal('permission_denied'));
  const name = (src: string) =>
    world.answer('update-scene', { sceneId: 'crypt', data: { 'background.src': src } });
  name('maps/elsewhere.webp');
  expect(await fetch()).toEqual({
    sceneId: 'crypt',
    sceneName: 'The Crypt Below',
    src: 'maps/elsewhere.webp',
  });
  name('handouts/bell.svg');
  const file = await fetch();
  expect(file).toMatchObject({ mimeType: 'image/svg+xml', src: 'handouts/bell.svg' });
  const [head, base64 = ''] = file.imageData?.split(',') ?? [];
  expect(head).toBe('data:image/svg+xml;base64');
  expect(atob(base64)).toMatch(/^<svg .*<\/svg>$/);
  name('');
  await expect(fetch()).rejects.toThrow(refusal('no_image'));
});
