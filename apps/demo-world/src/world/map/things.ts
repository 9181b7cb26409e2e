import { valueAt } from '../differences.ts';
import type { Document } from '../document.ts';
import type { WorldState } from '../state.ts';
import { textAt } from '../store/rooms/fields.ts';
import { circle, ellipse, polygon, rectangle } from './mark.ts';
import type { Look, Mark } from './mark.ts';

/** Something that lies on a scene beside the tokens: a wall, a light, a note. */
export interface Thing extends Mark {
  /** Its own colour, `#rrggbb`, where its document has one. */
  color?: string;
  label?: { x: number; y: number; text: string } | undefined;
  uuid: string;
  /** Only game masters see it. */
  isHidden: boolean;
}

const feetOfSquare = 5;

/** Everything that lies on a scene beside its tokens. What its document says is drawn as far as it makes sense. */
export function thingsOn({ documents }: Pick<WorldState, 'documents'>, sceneId: string): Thing[] {
  return Object.entries(documents).flatMap(([uuid, { kind, parent, data }]) => {
    const drawn = parent === `Scene.${sceneId}` ? figures[kind]?.(data) : undefined;
    if (!drawn || drawn.d === '') return [];
    return [{ uuid, isHidden: data['hidden'] === true, ...colored(drawn, data) }];
  });
}

interface Figure {
  look: Look;
  d: string;
  label?: Thing['label'];
}

/** How each kind is drawn. */
const figures: Readonly<Record<string, (data: Document) => Figure>> = {
  Wall(data) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = numbersAt(data, 'c');
    const d = `M${x1} ${y1}L${x2} ${y2}`;
    if (numberAt(data, 'door') === 0) return { look: 'barrier', d };
    return { look: numberAt(data, 'ds') === 1 ? 'door-open' : 'door-shut', d };
  },

  AmbientLight(data) {
    const reach = Math.max(numberAt(data, 'config.dim'), numberAt(data, 'config.bright')) / feetOfSquare;
    return { look: 'light', d: circle(numberAt(data, 'x'), numberAt(data, 'y'), reach) };
  },

  AmbientSound(data) {
    const [x, y] = [numberAt(data, 'x'), numberAt(data, 'y')];
    const speaker = `M${x - 0.2} ${y - 0.1}h.14l.2 -.16v.52l-.2 -.16h-.14z`;
    const text = textAt(data, 'name', baseName(textAt(data, 'path', '')));
    const d = circle(x, y, numberAt(data, 'radius') / feetOfSquare) + speaker;
    return { look: 'sound', d, label: { x, y: y + 0.5, text } };
  },

  Drawing: (data) => ({ look: 'drawing', ...shapeOf(data, 'shape') }),

  Tile(data) {
    const box = boxOf(data, '');
    return {
      look: 'tile',
      d: rectangle(...box),
      label: middle(box, baseName(textAt(data, 'texture.src', ''))),
    };
  },

  Note(data) {
    const [x, y] = [numberAt(data, 'x'), numberAt(data, 'y')];
    const d = `M${x} ${y}l-.22 -.42a.28 .28 0 1 1 .44 0z`;
    return { look: 'note', d, label: { x, y: y + 0.32, text: textAt(data, 'text', '') } };
  },

  MeasuredTemplate: (data) => ({ look: 'template', d: templateOf(data) }),

  Region(data) {
    const shapes = listAt(data, 'shapes');
    const d = shapes.map(regionShape).join('');
    return { look: 'region', d, label: { ...cornerOf(shapes[0] ?? {}), text: textAt(data, 'name', '') } };
  },
};

function shapeOf(data: Document, at: string): Pick<Figure, 'd' | 'label'> {
  const box = boxOf(data, `${at}.`);
  const [x, y, width, height] = box;
  const label = middle(box, textAt(data, 'text', ''));
  const points = numbersAt(data, `${at}.points`);
  const type = textAt(data, `${at}.type`, 'r');
  if (type === 'p' && points.length >= 4) return { d: polygon(pairs(points, x, y)), label };
  if (type === 'e' || type === 'c')
    return { d: ellipse(x + width / 2, y + height / 2, width / 2, height / 2), label };
  return { d: rectangle(...box), label };
}

function regionShape(shape: Document): string {
  const [x, y] = [numberAt(shape, 'x'), numberAt(shape, 'y')];
  switch (textAt(shape, 'type', 'rectangle')) {
    case 'polygon':
      return polygon(pairs(numbersAt(shape, 'points'), 0, 0));
    case 'circle':
      return circle(x, y, numberAt(shape, 'radius'));
    case 'ellipse':
      return ellipse(x, y, numberAt(shape, 'radiusX'), numberAt(shape, 'radiusY'));
    default:
      return rectangle(x, y, numberAt(shape, 'width'), numberAt(shape, 'height'));
  }
}

/** Where the name of a region stands: at its first shape. */
function cornerOf(shape: Document): { x: number; y: number } {
  const [x = numberAt(shape, 'x'), y = numberAt(shape, 'y')] = numbersAt(shape, 'points');
  return { x, y: y - 0.2 };
}

function templateOf(data: Document): string {
  const [x, y] = [numberAt(data, 'x'), numberAt(data, 'y')];
  const reach = numberAt(data, 'distance') / feetOfSquare;
  const turn = (numberAt(data, 'direction') * Math.PI) / 180;
  const at = (angle: number, far: number, aside = 0): [number, number] => [
    x + Math.cos(angle) * far - Math.sin(angle) * aside,
    y + Math.sin(angle) * far + Math.cos(angle) * aside,
  ];
  const half = numberAt(data, 'width', feetOfSquare) / feetOfSquare / 2;
  switch (textAt(data, 't', 'circle')) {
    case 'cone': {
      const spread = ((numberAt(data, 'angle', 53) / 2) * Math.PI) / 180;
      return polygon([[x, y], at(turn - spread, reach), at(turn, reach), at(turn + spread, reach)]);
    }
    case 'ray':
      return polygon([at(turn, 0, -half), at(turn, reach, -half), at(turn, reach, half), at(turn, 0, half)]);
    case 'rect':
      return rectangle(x, y, Math.cos(turn) * reach, Math.sin(turn) * reach);
    default:
      return circle(x, y, reach);
  }
}

/** Place and size; a size may stand beside the place or in a shape of its own. */
function boxOf(data: Document, shape: string): [number, number, number, number] {
  return [
    numberAt(data, 'x'),
    numberAt(data, 'y'),
    numberAt(data, `${shape}width`, 1),
    numberAt(data, `${shape}height`, 1),
  ];
}

function colored(figure: Figure, data: Document): Figure & Pick<Thing, 'color'> {
  const color = ['config.color', 'strokeColor', 'borderColor', 'color'].map((path) => valueAt(data, path));
  const own = color.find((one) => typeof one === 'string' && /^#[\da-f]{6}$/i.test(one));
  return typeof own === 'string' ? { ...figure, color: own } : figure;
}

const middle = ([x, y, width, height]: [number, number, number, number], text: string) => ({
  x: x + width / 2,
  y: y + height / 2,
  text: text.slice(0, 80),
});

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** No scene is larger, and a number beyond would only break the drawing. */
const farthest = 1_000;

function within(value: unknown, fallback = 0): number {
  return typeof value === 'number' && Math.abs(value) <= farthest ? value : fallback;
}

const numberAt = (data: Document, path: string, fallback = 0): number =>
  within(valueAt(data, path), fallback);

const maxPoints = 400;

function numbersAt(data: Document, path: string): number[] {
  const list = valueAt(data, path);
  return Array.isArray(list) ? list.slice(0, maxPoints).map((one) => within(one)) : [];
}

function listAt(data: Document, path: string): Document[] {
  const list = valueAt(data, path);
  return Array.isArray(list)
    ? list.slice(0, 50).filter((one) => typeof one === 'object' && one !== null)
    : [];
}

const pairs = (list: readonly number[], x: number, y: number): [number, number][] =>
  Array.from({ length: Math.floor(list.length / 2) }, (_, at) => [x + list[at * 2]!, y + list[at * 2 + 1]!]);
