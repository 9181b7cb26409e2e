import type { Document } from '../document.ts';
import type { StoredDocument } from '../store/stored-document.ts';

const on = (scene: string, kind: string, id: string, data: Document): [string, StoredDocument] => [
  `Scene.${scene}.${kind}.${id}`,
  { kind, parent: `Scene.${scene}`, data: { flags: {}, ...data } },
];

/** Documents on the scenes beside tokens. Places are in grid squares, ranges of light and sound in feet. */
export const sceneThings: Readonly<Record<string, StoredDocument>> = Object.fromEntries([
  on('chapel', 'AmbientLight', 'candles', {
    x: 20,
    y: 8,
    config: { dim: 20, bright: 10, color: '#e8a33d' },
    hidden: false,
  }),
  on('chapel', 'AmbientSound', 'water', {
    x: 9,
    y: 12,
    radius: 15,
    path: 'sounds/drips.ogg',
    name: 'Water',
    volume: 0.4,
  }),
  on('chapel', 'Note', 'trapdoor', { x: 20, y: 10.5, text: 'Stair under the altar', hidden: true }),
  on('crypt', 'Wall', 'vault-gate', { c: [11, 3, 11, 5], door: 1, ds: 0, move: 20, sight: 20 }),
  on('crypt', 'AmbientLight', 'stair', { x: 3, y: 2.5, config: { dim: 15, bright: 5, color: '#7aa7c7' } }),
]);
