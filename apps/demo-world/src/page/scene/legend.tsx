import type { Scene } from '../../world/state.ts';

const barSquares = 4;

/** The legend in a map's corner: its name, its scale, and the direction of north. */
export function Legend({ scene, square }: { scene: Scene; square: number }) {
  const length = barSquares * square;
  return (
    <div class="legend">
      <svg class="compass" viewBox="-20 -26 40 48" width="40" height="48" aria-hidden="true">
        <text y="-16">N</text>
        <circle r="11" />
        <path class="points" d="M0 -13L2.6 -2.6L13 0L2.6 2.6L0 13L-2.6 2.6L-13 0L-2.6 -2.6Z" />
        <path class="north" d="M0 -13L2.6 -2.6L0 0L-2.6 -2.6Z" />
      </svg>
      <div>
        <p class="legend-name">{scene.name}</p>
        <svg class="scale" width={length + 2} height="8" aria-hidden="true">
          {Array.from({ length: barSquares }, (_, index) => (
            <rect
              key={index}
              x={1 + index * square}
              y="1"
              width={square}
              height="5"
              class={index % 2 ? 'is-light' : 'is-dark'}
            />
          ))}
        </svg>
        <p class="legend-scale">{barSquares * 5} feet, five to a square</p>
      </div>
    </div>
  );
}
