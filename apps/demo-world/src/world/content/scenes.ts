import type { Scene, SceneShape, Token } from '../state.ts';

const shape = (
  kind: SceneShape['kind'],
  x: number,
  y: number,
  width: number,
  height: number,
): SceneShape => ({ kind, x, y, width, height });

const token = (
  scene: string,
  id: string,
  more: Pick<Token, 'name' | 'x' | 'y' | 'color'> & Partial<Token>,
): Token => ({
  uuid: `Scene.${scene}.Token.${id}`,
  actorUuid: `Actor.${id}`,
  size: 1,
  hidden: false,
  ...more,
});

/** A token with hit points of its own, as several of one kind need. */
const unlinked = (
  scene: string,
  id: string,
  actor: string,
  more: Pick<Token, 'name' | 'x' | 'y' | 'color'> & Partial<Token>,
): Token => token(scene, id, { ...more, actorUuid: `Scene.${scene}.Token.${id}.Actor.${actor}` });

const pillars = [
  [7, 4], [11, 4], [15, 4], [7, 11], [11, 11], [15, 11],
] as const; // prettier-ignore

/** A nave half under water, an altar in the east, the way in from the west. */
export const chapel: Scene = {
  id: 'chapel',
  name: 'The Sunken Chapel',
  columns: 24,
  rows: 16,
  shapes: [
    shape('floor', 2, 2, 20, 12),
    shape('floor', 0, 7, 2, 2),
    shape('water', 5, 10, 9, 4),
    shape('water', 14, 12, 4, 2),
    shape('water', 3, 11, 2, 2),
    shape('wall', 1, 1, 22, 1),
    shape('wall', 1, 14, 22, 1),
    shape('wall', 22, 2, 1, 12),
    shape('wall', 1, 2, 1, 5),
    shape('wall', 1, 9, 1, 5),
    shape('door', 1, 7, 1, 2),
    ...pillars.map(([x, y]) => shape('pillar', x, y, 1, 1)),
    shape('altar', 19, 7, 2, 2),
    shape('rubble', 16, 9, 2, 1),
    shape('rubble', 9, 2, 2, 1),
    shape('rubble', 4, 13, 1, 1),
  ],
  tokens: [
    token('chapel', 'mira', { name: 'Mira Thornwood', x: 5, y: 6, color: '#4f7cac' }),
    token('chapel', 'borin', { name: 'Borin Ironhand', x: 8, y: 8, color: '#5b9a6b' }),
    token('chapel', 'sable', { name: 'Sable Quickfoot', x: 10, y: 5, color: '#8a6bb1' }),
    token('chapel', 'theron', { name: 'Theron Vale', x: 12, y: 8, color: '#a8894f' }),
    unlinked('chapel', 'ghoul', 'ghoul', { name: 'Ghoul', x: 14, y: 8, color: '#7d8a6a' }),
    unlinked('chapel', 'ghoul-2', 'ghoul', { name: 'Ghoul 2', x: 13, y: 10, color: '#7d8a6a' }),
    token('chapel', 'cultist', { name: 'Cultist', x: 18, y: 6, color: '#a04848' }),
    unlinked('chapel', 'lurker', 'ghoul', {
      name: 'Drowned Ghoul',
      x: 16,
      y: 12,
      color: '#5f7f86',
      hidden: true,
    }),
  ],
};

/** Below the altar: a stair, a flooded passage, two vaults. */
export const crypt: Scene = {
  id: 'crypt',
  name: 'The Crypt Below',
  columns: 18,
  rows: 12,
  shapes: [
    shape('floor', 1, 1, 6, 5),
    shape('floor', 7, 3, 4, 2),
    shape('floor', 11, 1, 6, 10),
    shape('water', 11, 6, 6, 5),
    shape('wall', 0, 0, 18, 1),
    shape('wall', 0, 11, 18, 1),
    shape('wall', 0, 1, 1, 10),
    shape('wall', 17, 1, 1, 10),
    shape('wall', 1, 6, 10, 1),
    shape('door', 7, 3, 1, 2),
    shape('pillar', 13, 3, 1, 1),
    shape('pillar', 15, 3, 1, 1),
    shape('altar', 14, 8, 1, 2),
    shape('rubble', 3, 4, 2, 1),
  ],
  tokens: [unlinked('crypt', 'guardian', 'ghoul', { name: 'Crypt Ghoul', x: 14, y: 6, color: '#7d8a6a' })],
};
