import type { CSSProperties } from 'preact';
import { useMemo } from 'preact/hooks';
import { drawingOf } from '../../world/map/drawing.ts';
import { thingsOn } from '../../world/map/things.ts';
import type { Thing } from '../../world/map/things.ts';
import type { Scene } from '../../world/state.ts';
import { useTable } from '../table.ts';

/** Walls, lights, notes and the like under the tokens of a scene. They are cut off at its edge. */
export function Things({ scene, square }: { scene: Scene; square: number }) {
  const { documents } = useTable().state.value;
  const things = useMemo(() => thingsOn({ documents }, scene.id), [documents, scene.id]);
  const { x, y, width, height } = drawingOf(scene).extent;
  const box = { x: x * square, y: y * square, width: width * square, height: height * square };
  return (
    <svg
      class="things"
      role="img"
      aria-label={wordsOf(things)}
      {...box}
      viewBox={[box.x, box.y, box.width, box.height].join(' ')}
    >
      {things.map((thing) => (
        <ThingFigure key={thing.uuid} thing={thing} square={square} />
      ))}
    </svg>
  );
}

function ThingFigure({ thing, square }: { thing: Thing; square: number }) {
  const { look, d, color, label, isHidden } = thing;
  const own = color === undefined ? {} : ({ '--own': color } as CSSProperties);
  return (
    <g class={`thing ${look}${isHidden ? ' is-hidden' : ''}`} style={own}>
      <path d={d} transform={`scale(${square})`} />
      {label && label.text !== '' && (
        <text x={label.x * square} y={label.y * square} dy=".35em">
          {label.text}
        </text>
      )}
    </g>
  );
}

const words: Record<string, string> = {
  barrier: 'wall',
  'door-shut': 'shut door',
  'door-open': 'open door',
};

function wordsOf(things: readonly Thing[]): string {
  if (things.length === 0) return 'Nothing lies on the scene beside its tokens';
  const labels = things.map(({ look, label }) =>
    [words[look] ?? look, label?.text].filter(Boolean).join(' '),
  );
  return `On the scene: ${labels.slice(0, 20).join(', ')}`;
}
