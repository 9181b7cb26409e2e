import { useMemo } from 'preact/hooks';
import { groundMarks } from '../../world/map/ground.ts';
import type { Scene } from '../../world/state.ts';

/** Everything under the tokens, scaled from grid squares to pixels. */
export function Ground({ scene, square }: { scene: Scene; square: number }) {
  const marks = groundMarks(scene);
  return useMemo(
    () => (
      <g transform={`scale(${square})`} class="ground" aria-hidden="true">
        <defs>
          <radialGradient id="candlelight">
            <stop offset="0" class="candle-near" />
            <stop offset="1" class="candle-far" />
          </radialGradient>
        </defs>
        {marks.map(({ look, d, hasHoles }, index) => (
          <path key={index} class={look} d={d} fill-rule={hasHoles ? 'evenodd' : 'nonzero'} />
        ))}
      </g>
    ),
    [marks, square],
  );
}
