/** How a mark looks. The page and the pictures of a scene each have colours for it. */
export type Look =
  | GroundLook
  | FurnitureLook
  | 'barrier' | 'door-shut' | 'door-open' | 'light' | 'sound' | 'drawing' | 'tile' | 'template' | 'region' | 'note'; // prettier-ignore

type GroundLook =
  | 'paper' | 'rock' | 'floor' | 'flagstones' | 'water' | 'shallows' | 'waves' | 'shore' | 'grid' | 'walls'; // prettier-ignore

type FurnitureLook =
  | 'cast' | 'stone' | 'chisel' | 'cloth' | 'sun' | 'rays' | 'wax' | 'flame' | 'glow' | 'wood' | 'planks' | 'ring'; // prettier-ignore

/** One path of a scene, in grid squares. */
export interface Mark {
  look: Look;
  /** `d` of an SVG path. */
  d: string;
  /** Inner loops are holes. */
  hasHoles?: boolean;
}

/** A number of a path: two digits after the point are finer than any screen. */
const n = (value: number): string => String(Math.round(value * 100) / 100);

export const circle = (x: number, y: number, radius: number): string => ellipse(x, y, radius, radius);

export const ellipse = (x: number, y: number, rx: number, ry: number): string =>
  `M${n(x - rx)} ${n(y)}a${n(rx)} ${n(ry)} 0 1 0 ${n(rx * 2)} 0a${n(rx)} ${n(ry)} 0 1 0 ${n(-rx * 2)} 0z`;

export const rectangle = (x: number, y: number, width: number, height: number): string =>
  `M${n(x)} ${n(y)}h${n(width)}v${n(height)}h${n(-width)}z`;

export const polygon = (points: readonly (readonly [number, number])[]): string =>
  points.length === 0 ? '' : `M${points.map(([x, y]) => `${n(x)} ${n(y)}`).join('L')}Z`;
