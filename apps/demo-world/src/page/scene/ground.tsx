import { useMemo } from 'preact/hooks';
import type { Scene } from '../../world/state.ts';
import type { Drawing } from './drawing.ts';
import { drawingOf } from './drawing.ts';
import { Furniture } from './furniture.tsx';

/** Everything under the tokens, scaled from grid squares to pixels. */
export function Ground({ scene, square }: { scene: Scene; square: number }) {
  const drawing = drawingOf(scene);
  return useMemo(() => layers(drawing, scene, square), [drawing, square]);
}

function layers(drawing: Drawing, scene: Scene, square: number) {
  return (
    <g transform={`scale(${square})`} class="ground" aria-hidden="true">
      <defs>
        <clipPath id="shore">
          <path d={drawing.water} />
        </clipPath>
        <radialGradient id="candlelight">
          <stop offset="0" class="candle-near" />
          <stop offset="1" class="candle-far" />
        </radialGradient>
      </defs>
      <path d={drawing.rock} class="rock" />
      <path d={drawing.floor} class="floor" fill-rule="evenodd" />
      <path d={drawing.flagstones} class="flagstones" />
      <path d={drawing.water} class="water" fill-rule="evenodd" />
      <g clip-path="url(#shore)">
        <path d={drawing.water} class="shallows" />
        <path d={drawing.waves} class="waves" />
      </g>
      <path d={drawing.water} class="shore" />
      <path d={drawing.grid} class="grid" />
      <path d={drawing.floor} class="inner-shade" />
      {scene.shapes.map((shape) => (
        <Furniture key={`${shape.kind},${shape.x},${shape.y}`} shape={shape} />
      ))}
      <path d={drawing.walls} class="walls" />
    </g>
  );
}
