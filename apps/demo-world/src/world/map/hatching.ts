import type { Ground } from './outline.ts';

interface Area {
  ground: Ground;
  columns: number;
  rows: number;
  random: () => number;
}

const spacing = 0.34;
const reach = 0.95;

/**
 * The strokes of rock around the floor, as the `d` of an SVG path: bundles of three short lines, each bundle
 * turned its own way, as dungeon maps have been drawn by hand for decades.
 */
export function hatching({ ground, columns, rows, random }: Area): string {
  const strokes: string[] = [];
  for (let y = -1; y < rows + 1; y += spacing) {
    for (let x = -1; x < columns + 1; x += spacing) {
      const middleX = x + random() * spacing;
      const middleY = y + random() * spacing;
      const turn = random() * Math.PI;
      if (isRockNearFloor(ground, middleX, middleY)) strokes.push(bundle(middleX, middleY, turn, random));
    }
  }
  return strokes.join('');
}

function isRockNearFloor(ground: Ground, x: number, y: number): boolean {
  if (ground(Math.floor(x), Math.floor(y))) return false;
  for (let row = Math.floor(y) - 1; row <= Math.floor(y) + 1; row += 1) {
    for (let column = Math.floor(x) - 1; column <= Math.floor(x) + 1; column += 1) {
      if (!ground(column, row)) continue;
      const dx = Math.max(column - x, 0, x - column - 1);
      const dy = Math.max(row - y, 0, y - row - 1);
      if (Math.hypot(dx, dy) < reach) return true;
    }
  }
  return false;
}

function bundle(x: number, y: number, turn: number, random: () => number): string {
  const alongX = Math.cos(turn);
  const alongY = Math.sin(turn);
  return [-0.1, 0, 0.1]
    .map((aside) => {
      const half = 0.15 + random() * 0.07;
      const fromX = x - alongY * aside - alongX * half;
      const fromY = y + alongX * aside - alongY * half;
      return `M${fromX.toFixed(2)} ${fromY.toFixed(2)}l${(alongX * half * 2).toFixed(2)} ${(alongY * half * 2).toFixed(2)}`;
    })
    .join('');
}
