import type { Scene, SceneShape } from '../state.ts';
import { hatching } from './hatching.ts';
import type { Ground, Point } from './outline.ts';
import { groundOf, outline, pathOf, rounded, trembling } from './outline.ts';
import { seededRandom } from './random.ts';

/** A scene worked out into paths, in grid squares. */
export interface Drawing {
  floor: string;
  walls: string;
  rock: string;
  grid: string;
  flagstones: string;
  water: string;
  waves: string;
  /** The floor with a rim of rock: what is worth showing of the grid. */
  extent: Extent;
}

export interface Extent {
  x: number;
  y: number;
  width: number;
  height: number;
}

const rim = 1.4;

const drawings = new Map<string, Drawing>();

/** Draws the ground once for each set of shapes: states come often, and shapes hardly ever change. */
export function drawingOf(scene: Scene): Drawing {
  const key = JSON.stringify([scene.id, scene.columns, scene.rows, scene.shapes]);
  const drawing = drawings.get(key) ?? draw(scene);
  drawings.set(key, drawing);
  return drawing;
}

function draw({ id, columns, rows, shapes }: Scene): Drawing {
  const random = seededRandom(id);
  const kind = (...kinds: SceneShape['kind'][]) =>
    groundOf(shapes.filter((shape) => kinds.includes(shape.kind)));
  const isWall = kind('wall');
  const isDoor = kind('door');
  const isPaved = shapes.some((shape) => shape.kind === 'floor')
    ? kind('floor', 'water', 'door')
    : () => true;
  const isWater = kind('water');
  const inside: Ground = (x, y) => x >= 0 && y >= 0 && x < columns && y < rows;
  const isFloor: Ground = (x, y) => inside(x, y) && isPaved(x, y) && (isDoor(x, y) || !isWall(x, y));
  const floorLoops = outline(isFloor, columns, rows);
  const waterLoops = outline((x, y) => isFloor(x, y) && isWater(x, y), columns, rows);
  return {
    extent: extentOf(floorLoops.flat()),
    floor: pathOf(floorLoops),
    walls: pathOf(floorLoops.map((loop) => trembling(loop, random))),
    rock: hatching({ ground: isFloor, columns, rows, random }),
    grid: gridOf(isFloor, columns, rows),
    flagstones: scattered(
      (x, y) => isFloor(x, y) && !isWater(x, y) && random() < 0.16,
      { columns, rows },
      flagstone,
    ),
    water: pathOf(waterLoops.map((loop) => rounded(loop, 3))),
    waves: scattered(
      (x, y) => isWater(x, y) && random() < 0.4,
      { columns, rows },
      (x, y) => wave(x + 0.15 + random() * 0.3, y + 0.25 + random() * 0.5),
    ),
  };
}

function extentOf(points: readonly Point[]): Extent {
  const xs = points.map((point) => point.x);
  const ys = points.map((point) => point.y);
  const [x, y] = [Math.min(...xs) - rim, Math.min(...ys) - rim];
  return { x, y, width: Math.max(...xs) + rim - x, height: Math.max(...ys) + rim - y };
}

/** Lines between two squares that can both be stood on. */
function gridOf(isFloor: Ground, columns: number, rows: number): string {
  const here = (lines: string[], x: number, y: number) => {
    if (!isFloor(x, y)) return lines;
    if (isFloor(x + 1, y)) lines.push(`M${x + 1} ${y}v1`);
    if (isFloor(x, y + 1)) lines.push(`M${x} ${y + 1}h1`);
    return lines;
  };
  return squares(columns, rows)
    .reduce<string[]>((lines, { x, y }) => here(lines, x, y), [])
    .join('');
}

function scattered(
  isWanted: Ground,
  { columns, rows }: { columns: number; rows: number },
  strokes: (x: number, y: number) => string,
): string {
  return squares(columns, rows)
    .filter(({ x, y }) => isWanted(x, y))
    .map(({ x, y }) => strokes(x, y))
    .join('');
}

const squares = (columns: number, rows: number) =>
  Array.from({ length: columns * rows }, (_, index) => ({
    x: index % columns,
    y: Math.floor(index / columns),
  }));

const flagstone = (x: number, y: number) => `M${x + 0.06} ${y + 0.06}h.88v.88h-.88z`;

const wave = (x: number, y: number) => `M${x.toFixed(2)} ${y.toFixed(2)}q.11-.1.22 0t.22 0`;
