import type { SceneShape } from '../../world/state.ts';
import { seededRandom } from './random.ts';

/** The furniture on the floor. Each piece is drawn in its own rectangle, in grid squares. */
export function Furniture({ shape }: { shape: SceneShape }) {
  switch (shape.kind) {
    case 'pillar':
      return <Pillar {...shape} />;
    case 'altar':
      return <Altar {...shape} />;
    case 'door':
      return <Door {...shape} />;
    case 'rubble':
      return <Rubble {...shape} />;
    default:
      return null;
  }
}

function Pillar({ x, y, width, height }: SceneShape) {
  const radius = Math.min(width, height) * 0.4;
  const middle = { cx: x + width / 2, cy: y + height / 2 };
  return (
    <g class="pillar">
      <circle cx={middle.cx + 0.08} cy={middle.cy + 0.1} r={radius} class="cast" />
      <circle {...middle} r={radius} class="stone" />
      <circle {...middle} r={radius * 0.62} class="mark" />
      <path
        class="mark"
        d={`M${middle.cx - radius * 0.3} ${middle.cy - radius * 0.1}l${radius * 0.35} ${radius * 0.2}l${radius * 0.1} ${radius * 0.3}`}
      />
    </g>
  );
}

function Altar({ x, y, width, height }: SceneShape) {
  const alongX = width >= height;
  const inset = 0.12;
  const candles = alongX
    ? [
        { x: x + 0.35, y: y + height / 2 },
        { x: x + width - 0.35, y: y + height / 2 },
      ]
    : [
        { x: x + width / 2, y: y + 0.35 },
        { x: x + width / 2, y: y + height - 0.35 },
      ];
  return (
    <g class="altar">
      <circle cx={x + width / 2} cy={y + height / 2} r={Math.max(width, height) * 1.35} class="glow" />
      <rect
        x={x + inset + 0.08}
        y={y + inset + 0.1}
        width={width - inset * 2}
        height={height - inset * 2}
        class="cast"
      />
      <rect
        x={x + inset}
        y={y + inset}
        width={width - inset * 2}
        height={height - inset * 2}
        rx=".06"
        class="stone"
      />
      <rect
        class="cloth"
        {...(alongX
          ? { x: x + width * 0.34, y: y + inset, width: width * 0.32, height: height - inset * 2 }
          : { x: x + inset, y: y + height * 0.34, width: width - inset * 2, height: height * 0.32 })}
      />
      <Sun x={x + width / 2} y={y + height / 2} />
      {candles.map((candle) => (
        <g key={`${candle.x},${candle.y}`}>
          <circle cx={candle.x} cy={candle.y} r=".11" class="wax" />
          <path class="flame" d={`M${candle.x} ${candle.y - 0.13}q.1 .1 0 .17q-.1-.07 0-.17`} />
        </g>
      ))}
    </g>
  );
}

function Sun({ x, y }: { x: number; y: number }) {
  const rays = Array.from({ length: 8 }, (_, index) => {
    const turn = (index * Math.PI) / 4;
    return `M${x + Math.cos(turn) * 0.13} ${y + Math.sin(turn) * 0.13}L${x + Math.cos(turn) * 0.21} ${y + Math.sin(turn) * 0.21}`;
  });
  return (
    <g class="sun">
      <circle cx={x} cy={y} r=".08" />
      <path d={rays.join('')} />
    </g>
  );
}

function Door({ x, y, width, height }: SceneShape) {
  const isUpright = height > width;
  const leaf = 0.34;
  const box = isUpright
    ? { x: x + width / 2 - leaf / 2, y: y + 0.06, width: leaf, height: height - 0.12 }
    : { x: x + 0.06, y: y + height / 2 - leaf / 2, width: width - 0.12, height: leaf };
  const planks = Array.from({ length: 3 }, (_, index) => {
    const share = (index + 1) / 4;
    return isUpright
      ? `M${box.x} ${box.y + box.height * share}h${box.width}`
      : `M${box.x + box.width * share} ${box.y}v${box.height}`;
  });
  return (
    <g class="door">
      <rect {...box} rx=".04" class="wood" />
      <path d={planks.join('')} class="mark" />
      <circle
        class="ring"
        cx={isUpright ? x + width / 2 : box.x + box.width * 0.84}
        cy={isUpright ? box.y + box.height * 0.84 : y + height / 2}
        r=".055"
      />
    </g>
  );
}

function Rubble({ x, y, width, height }: SceneShape) {
  const random = seededRandom(`${x},${y}`);
  const stones = Array.from({ length: Math.ceil(width * height * 7) }, (_, index) => ({
    index,
    x: x + 0.12 + random() * (width - 0.24),
    y: y + 0.12 + random() * (height - 0.24),
    size: 0.06 + random() * 0.13,
    turn: random() * Math.PI,
  }));
  return (
    <g class="rubble">
      {stones.map((stone) => (
        <path key={stone.index} class="stone" d={boulder(stone)} />
      ))}
    </g>
  );
}

function boulder({ x, y, size, turn }: { x: number; y: number; size: number; turn: number }): string {
  const corners = [1, 0.8, 1.05, 0.7, 0.95].map((reach, index) => {
    const angle = turn + (index * 2 * Math.PI) / 5;
    return `${(x + Math.cos(angle) * size * reach).toFixed(2)} ${(y + Math.sin(angle) * size * reach).toFixed(2)}`;
  });
  return `M${corners.join('L')}Z`;
}
