import { expect, test } from 'vitest';
import { initialState } from '../../src/world/content/initial-state.ts';
import { actorSheet, paperSheet } from '../../src/world/picture/sheet-svg.ts';
import type { Picture } from '../../src/world/picture/scene-svg.ts';
import { backgroundSvg, sceneSvg } from '../../src/world/picture/scene-svg.ts';
import type { Document } from '../../src/world/document.ts';
import type { Scene, SceneShape, Token, WorldState } from '../../src/world/state.ts';

const shape = (kind: SceneShape['kind'], x: number, y: number, width: number, height: number): SceneShape => ({
  kind, x, y, width, height,
}); // prettier-ignore

/** A hall with a ring of water and one of each piece of furniture, lying and standing. */
const hall: Scene = {
  id: 'hall',
  name: 'Hall',
  columns: 9,
  rows: 7,
  shapes: [
    shape('floor', 1, 1, 7, 5),
    shape('wall', 4, 3, 1, 1),
    shape('door', 0, 3, 1, 1),
    shape('door', 4, 0, 2, 1),
    shape('door', 8, 2, 1, 2),
    shape('water', 5, 3, 3, 3),
    shape('wall', 6, 4, 1, 1),
    shape('pillar', 1, 1, 1, 1),
    shape('altar', 2, 1, 2, 1),
    shape('altar', 1, 3, 1, 2),
    shape('rubble', 3, 4, 1, 1),
  ],
  tokens: [],
};

/** One of each thing that can lie on a scene, and of each form that it may have. */
const things: [kind: string, data: Document][] = [
  ['Wall', { c: [1, 1, 3, 1], door: 0 }],
  ['Wall', { c: [1, 2, 3, 2], door: 1, ds: 0 }],
  ['Wall', { c: [1, 3, 3, 3], door: 1, ds: 1 }],
  ['Wall', { c: 'nowhere' }],
  ['AmbientLight', { x: 2, y: 2, config: { dim: 20, bright: 10, color: '#e8a33d' } }],
  ['AmbientLight', { x: 3, y: 2, config: { dim: 5, bright: 10, color: 'red' }, hidden: true }],
  ['AmbientSound', { x: 3, y: 3, radius: 15, path: 'sounds/drips.ogg' }],
  ['AmbientSound', { x: 3, y: 3, radius: 5_000, name: 'Water' }],
  ['Drawing', { x: 1, y: 1, shape: { type: 'r', width: 2, height: 1 }, text: 'Here', strokeColor: '#112233' }],
  ['Drawing', { x: 1, y: 1, shape: { type: 'e', width: 2, height: 1 } }],
  ['Drawing', { x: 1, y: 1, shape: { type: 'c', width: 3, height: 3 } }],
  ['Drawing', { x: 1, y: 1, shape: { type: 'p', points: [0, 0, 2, 0, 1, 2] } }],
  ['Drawing', { x: 1, y: 1, shape: { type: 'p', points: [0, 0] } }],
  ['Drawing', { x: 2_000, y: 'left', text: 'x'.repeat(100) }],
  ['Tile', { x: 5, y: 5, width: 2, height: 1, texture: { src: 'tiles/rug.webp' } }],
  ['Note', { x: 4, y: 4, text: 'A <stair> & "more"' }],
  ['MeasuredTemplate', { t: 'circle', x: 4, y: 4, distance: 20 }],
  ['MeasuredTemplate', { t: 'cone', x: 4, y: 4, distance: 15, direction: 30, angle: 90, borderColor: '#445566' }],
  ['MeasuredTemplate', { t: 'cone', x: 4, y: 4, distance: 15 }],
  ['MeasuredTemplate', { t: 'ray', x: 4, y: 4, distance: 30, direction: 200, width: 10 }],
  ['MeasuredTemplate', { t: 'rect', x: 1, y: 1, distance: 15, direction: 45 }],
  ['Region', { name: 'Trap', shapes: [{ type: 'rectangle', x: 1, y: 1, width: 2, height: 2 }] }],
  ['Region', { name: 'Pool', shapes: [
    { type: 'polygon', points: [2, 2, 4, 2, 3, 4] },
    { type: 'circle', x: 3, y: 3, radius: 1 },
    { type: 'ellipse', x: 3, y: 3, radiusX: 2, radiusY: 1 },
    'none',
  ] }],
  ['Region', { name: 'Empty' }],
  ['Unknown', { x: 1, y: 1 }],
]; // prettier-ignore

const token: Token = {
  ...initialState.scenes.flatMap(({ tokens }) => tokens).find(({ uuid }) => uuid.endsWith('.mira'))!,
  x: 3,
  y: 2,
};

const state: WorldState = {
  ...initialState,
  documents: Object.fromEntries(
    things.map(([kind, data], index) => [
      `Scene.hall.${kind}.${index}`,
      { kind, parent: 'Scene.hall', data },
    ]),
  ),
};

const sight = {
  tokens: [
    token,
    { ...token, uuid: 'Scene.hall.Token.other', x: 5, y: 1, size: 2, hidden: true, color: 'no colour' },
    { ...token, uuid: 'Scene.hall.Token.stranger', x: 1, y: 5, actorUuid: 'Actor.gone', color: '#123456' },
  ],
  isPlayers: false,
  hasGrid: true,
  hasOverlays: true,
  turn: token.uuid,
};

/** As it is drawn, but for digits that a renderer cannot show and another processor may write otherwise. */
const drawn = ({ svg }: Picture): string =>
  `${svg.replaceAll(/-?\d+\.\d+/g, (number) => String(Number(Number(number).toFixed(3))))}\n`;

// A change that is meant shows in the files after a run with `-u`. A browser opens them.
test.each([
  ['hall', sceneSvg(state, hall, sight)],
  ['hall-of-players', sceneSvg(state, hall, { ...sight, isPlayers: true, hasGrid: false, turn: undefined, width: 300 })],
  ['hall-background', backgroundSvg(hall)],
  ['character-sheet', actorSheet(initialState.actors[0]!, 1)],
  ['monster-sheet', actorSheet(initialState.actors.find(({ kind }) => kind !== 'character')!, 2)],
  ['paper', paperSheet({ name: 'Rumours', kind: 'Journal', text: 'Fishermen hear the bell. '.repeat(60) }, 1)],
])('%s looks as it is drawn in its file', async (name, picture) => {
  await expect(drawn(picture)).toMatchFileSnapshot(`drawn/${name}.svg`);
}); // prettier-ignore
