import type { Scene } from '../state.ts';
import { drawingOf } from './drawing.ts';
import type { Drawing } from './drawing.ts';
import { furniture } from './furniture.ts';
import { rectangle } from './mark.ts';
import type { Mark } from './mark.ts';

const marksOf = new WeakMap<Drawing, readonly Mark[]>();

/** Everything under the tokens, from the bottom up. */
export function groundMarks(scene: Scene): readonly Mark[] {
  const drawing = drawingOf(scene);
  let marks = marksOf.get(drawing);
  if (!marks) marksOf.set(drawing, (marks = draw(drawing, scene)));
  return marks;
}

function draw(drawing: Drawing, scene: Scene): Mark[] {
  const { columns, rows } = scene;
  return [
    { look: 'floor', d: drawing.floor, hasHoles: true },
    { look: 'water', d: drawing.water, hasHoles: true },
    { look: 'shallows', d: drawing.water },
    // The shallows lie on both sides of the shore: what is dry covers those that are not in the water.
    { look: 'floor', d: drawing.floor + drawing.water, hasHoles: true },
    { look: 'paper', d: rectangle(-2, -2, columns + 4, rows + 4) + drawing.floor, hasHoles: true },
    { look: 'rock', d: drawing.rock },
    { look: 'flagstones', d: drawing.flagstones },
    { look: 'waves', d: drawing.waves },
    { look: 'shore', d: drawing.water },
    { look: 'grid', d: drawing.grid },
    ...scene.shapes.flatMap(furniture),
    { look: 'walls', d: drawing.walls },
  ];
}
