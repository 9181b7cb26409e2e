import { expect, test } from 'vitest';
import { createWorld } from '../../world.ts';

const refusal = (code: string) => expect.objectContaining({ code }) as Error;

const svgOf = (url: string | undefined) =>
  decodeURIComponent((url ?? '').slice('data:image/svg+xml,'.length));

test('a picture shows tokens and what lies on the scene, and to a player nothing that is hidden', () => {
  const world = createWorld({ seed: 1 });
  const take = (more: object = {}, userId?: string) =>
    svgOf(world.answer('scene-screenshot', more, { userId }).imageData);
  for (const seen of ['Mira Thornwood', 'Drowned Ghoul', 'Stair under the altar'])
    expect(take()).toContain(seen);
  expect(take({}, 'Ben')).toContain('Mira Thornwood');
  expect(take({}, 'Ben')).not.toMatch(/Drowned Ghoul|Stair under the altar/);
  const grid = /stroke="#ddd2bb"/;
  expect(take()).toMatch(grid);
  expect(take({ hideOverlays: true })).not.toMatch(grid);
  expect(take({ hideOverlays: true, showGrid: true })).toMatch(grid);
  expect(take({ hideOverlays: true })).not.toContain('Mira Thornwood');
});

test('a picture is cut out of the middle, and never larger than 2048 pixels', () => {
  const world = createWorld({ seed: 1 });
  const sizeOf = (more: object) => {
    const { width, height } = world.answer('scene-screenshot', more);
    return [width, height];
  };
  expect(sizeOf({})).toEqual([1536, 1024]);
  expect(sizeOf({ width: 640, height: 128 })).toEqual([640, 128]);
  expect(sizeOf({ width: 8192, height: 8192 })).toEqual([2048, 2048]);
  expect(sizeOf({ width: 640, viewport: true })).toEqual([1536, 1024]);
  expect(svgOf(world.answer('scene-screenshot', { width: 640, height: 128 }).imageData)).toContain(
    'viewBox="7 7 10 2"',
  );
});

test('only the scene that is shown can be taken a picture of', () => {
  const world = createWorld({ seed: 1 });
  expect(() => world.answer('scene-screenshot', { sceneId: 'crypt' })).toThrow(refusal('not_viewed'));
  world.answer('switch-scene', { sceneId: 'crypt' });
  expect(svgOf(world.answer('scene-screenshot', {}).imageData)).toContain('Crypt Ghoul');
});

test('names and colours from anywhere stand in a picture as text alone', () => {
  const world = createWorld({ seed: 1 });
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
  const svg = svgOf(world.answer('scene-screenshot', {}).imageData);
  expect(svg).toContain('&quot;&gt;&lt;script&gt;&amp;');
  expect(svg).not.toMatch(/<script|<x|NaN|1000000000|undefined/);
});

test('the background image is the ground alone, until the scene names a file that the world has not', () => {
  const world = createWorld({ seed: 1 });
  const fetch = (userId?: string) => world.answer('scene-raw-image', { sceneId: 'crypt' }, { userId }).data;
  expect(fetch()).toMatchObject({ src: 'scenes/crypt.png', sceneName: 'The Crypt Below' });
  expect(svgOf(fetch().imageData)).not.toContain('Crypt Ghoul');
  expect(() => fetch('Ben')).toThrow(refusal('permission_denied'));
  const name = (src: string) =>
    world.answer('update-scene', { sceneId: 'crypt', data: { 'background.src': src } });
  name('maps/elsewhere.webp');
  expect(fetch()).toEqual({ sceneId: 'crypt', sceneName: 'The Crypt Below', src: 'maps/elsewhere.webp' });
  name('');
  expect(() => fetch()).toThrow(refusal('no_image'));
});
