import type { SceneShape } from '../state.ts';

export interface Point {
  x: number;
  y: number;
}

/** Grid squares that belong to one kind of ground, asked by their column and row. */
export type Ground = (column: number, row: number) => boolean;

/** A square belongs to the shapes that cover its middle. */
export function groundOf(shapes: readonly SceneShape[]): Ground {
  return (column, row) =>
    shapes.some(
      ({ x, y, width, height }) =>
        column + 0.5 > x && column + 0.5 < x + width && row + 0.5 > y && row + 0.5 < y + height,
    );
}

/** The closed loops around a ground, with the ground on the right hand; holes are loops of their own. */
export function outline(ground: Ground, columns: number, rows: number): Point[][] {
  const next = new Map<string, Point[]>();
  const edge = (from: Point, to: Point) => {
    const key = `${from.x},${from.y}`;
    next.set(key, [...(next.get(key) ?? []), to]);
  };
  const inside: Ground = (x, y) => x >= 0 && y >= 0 && x < columns && y < rows && ground(x, y);
  for (let y = 0; y < rows; y += 1) {
    for (let x = 0; x < columns; x += 1) {
      if (!inside(x, y)) continue;
      if (!inside(x, y - 1)) edge({ x, y }, { x: x + 1, y });
      if (!inside(x + 1, y)) edge({ x: x + 1, y }, { x: x + 1, y: y + 1 });
      if (!inside(x, y + 1)) edge({ x: x + 1, y: y + 1 }, { x, y: y + 1 });
      if (!inside(x - 1, y)) edge({ x, y: y + 1 }, { x, y });
    }
  }
  return [...loops(next)];
}

function* loops(next: Map<string, Point[]>): Generator<Point[]> {
  for (const [start, targets] of next) {
    while (targets.length > 0) {
      const loop: Point[] = [];
      let key = start;
      for (let point = next.get(key)?.pop(); point; point = next.get(key)?.pop()) {
        loop.push(point);
        key = `${point.x},${point.y}`;
      }
      yield loop;
    }
  }
}

/** Rounds the corners of a loop, as a shore would run (Chaikin's corner cutting). */
export function rounded(loop: readonly Point[], times = 2): Point[] {
  let points = [...loop];
  for (let turn = 0; turn < times; turn += 1) {
    points = points.flatMap((point, index) => {
      const after = points[(index + 1) % points.length] ?? point;
      return [between(point, after, 0.25), between(point, after, 0.75)];
    });
  }
  return points;
}

/** Makes a loop look drawn by hand: each edge gets a middle point, and every point trembles a little. */
export function trembling(loop: readonly Point[], random: () => number, by = 0.035): Point[] {
  const shaken = ({ x, y }: Point) => ({
    x: x + (random() - 0.5) * 2 * by,
    y: y + (random() - 0.5) * 2 * by,
  });
  return loop.flatMap((point, index) => {
    const after = loop[(index + 1) % loop.length] ?? point;
    return [shaken(point), shaken(between(point, after, 0.5))];
  });
}

/** Loops as the `d` of an SVG path. */
export function pathOf(loops: readonly (readonly Point[])[]): string {
  return loops
    .map((loop) => `M${loop.map(({ x, y }) => `${x.toFixed(2)} ${y.toFixed(2)}`).join('L')}Z`)
    .join('');
}

function between(from: Point, to: Point, share: number): Point {
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}
