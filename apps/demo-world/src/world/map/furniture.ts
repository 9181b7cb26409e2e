import type { SceneShape } from '../state.ts';
import { circle, rectangle } from './mark.ts';
import type { Mark } from './mark.ts';
import { seededRandom } from './random.ts';

/** The furniture on the floor. Each piece is drawn in its own rectangle, in grid squares. */
export function furniture(shape: SceneShape): Mark[] {
  switch (shape.kind) {
    case 'pillar':
      return pillar(shape);
    case 'altar':
      return altar(shape);
    case 'door':
      return door(shape);
    case 'rubble':
      return rubble(shape);
    default:
      return [];
  }
}

function pillar({ x, y, width, height }: SceneShape): Mark[] {
  const radius = Math.min(width, height) * 0.4;
  const [cx, cy] = [x + width / 2, y + height / 2];
  const crack = `M${cx - radius * 0.3} ${cy - radius * 0.1}l${radius * 0.35} ${radius * 0.2}l${radius * 0.1} ${radius * 0.3}`;
  return [
    { look: 'cast', d: circle(cx + 0.08, cy + 0.1, radius) },
    { look: 'stone', d: circle(cx, cy, radius) },
    { look: 'chisel', d: circle(cx, cy, radius * 0.62) + crack },
  ];
}

function altar({ x, y, width, height }: SceneShape): Mark[] {
  const alongX = width >= height;
  const inset = 0.12;
  const [cx, cy] = [x + width / 2, y + height / 2];
  const [inner, tall] = [width - inset * 2, height - inset * 2];
  const cloth = alongX
    ? rectangle(x + width * 0.34, y + inset, width * 0.32, tall)
    : rectangle(x + inset, y + height * 0.34, inner, height * 0.32);
  const candles = alongX
    ? [
        { x: x + 0.35, y: cy },
        { x: x + width - 0.35, y: cy },
      ]
    : [
        { x: cx, y: y + 0.35 },
        { x: cx, y: y + height - 0.35 },
      ];
  return [
    { look: 'glow', d: circle(cx, cy, Math.max(width, height) * 1.35) },
    { look: 'cast', d: rectangle(x + inset + 0.08, y + inset + 0.1, inner, tall) },
    { look: 'stone', d: rectangle(x + inset, y + inset, inner, tall) },
    { look: 'cloth', d: cloth },
    ...sun(cx, cy),
    ...candles.flatMap((candle): Mark[] => [
      { look: 'wax', d: circle(candle.x, candle.y, 0.11) },
      { look: 'flame', d: `M${candle.x} ${candle.y - 0.13}q.1 .1 0 .17q-.1-.07 0-.17` },
    ]),
  ];
}

function sun(x: number, y: number): Mark[] {
  const rays = Array.from({ length: 8 }, (_, index) => {
    const turn = (index * Math.PI) / 4;
    return `M${x + Math.cos(turn) * 0.13} ${y + Math.sin(turn) * 0.13}L${x + Math.cos(turn) * 0.21} ${y + Math.sin(turn) * 0.21}`;
  });
  return [
    { look: 'sun', d: circle(x, y, 0.08) },
    { look: 'rays', d: rays.join('') },
  ];
}

function door({ x, y, width, height }: SceneShape): Mark[] {
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
  const ring = isUpright
    ? circle(x + width / 2, box.y + box.height * 0.84, 0.055)
    : circle(box.x + box.width * 0.84, y + height / 2, 0.055);
  return [
    { look: 'wood', d: rectangle(box.x, box.y, box.width, box.height) },
    { look: 'planks', d: planks.join('') },
    { look: 'ring', d: ring },
  ];
}

function rubble({ x, y, width, height }: SceneShape): Mark[] {
  const random = seededRandom(`${x},${y}`);
  return Array.from({ length: Math.ceil(width * height * 7) }, () => {
    const [left, top] = [x + 0.12 + random() * (width - 0.24), y + 0.12 + random() * (height - 0.24)];
    return { look: 'stone', d: boulder(left, top, 0.06 + random() * 0.13, random() * Math.PI) };
  });
}

function boulder(x: number, y: number, size: number, turn: number): string {
  const corners = [1, 0.8, 1.05, 0.7, 0.95].map((reach, index) => {
    const angle = turn + (index * 2 * Math.PI) / 5;
    return `${(x + Math.cos(angle) * size * reach).toFixed(2)} ${(y + Math.sin(angle) * size * reach).toFixed(2)}`;
  });
  return `M${corners.join('L')}Z`;
}
