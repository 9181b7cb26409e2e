import { groundMarks } from '../map/ground.ts';
import type { Mark } from '../map/mark.ts';
import { thingsOn } from '../map/things.ts';
import type { Thing } from '../map/things.ts';
import type { Scene, Token, WorldState } from '../state.ts';
import { attributesOf, inks } from './inks.ts';
import { escaped } from './svg-text.ts';

/** Layers of a picture of a scene above its ground. */
export interface SceneSight {
  tokens: readonly Token[];
  /** Leaves out what only game masters see. */
  isPlayers: boolean;
  hasGrid: boolean;
  hasOverlays: boolean;
  /** UUID of the token whose turn it is. */
  turn?: string | undefined;
  /** Pixels that are cut out of the middle; the whole scene where they are not given. */
  width?: number | undefined;
  height?: number | undefined;
}

/** An SVG document that needs nothing beside it, and its size in pixels. */
export interface Picture {
  svg: string;
  width: number;
  height: number;
}

/** No picture is longer: it is drawn and sent as a whole. */
const longestPx = 2048;

const largestSquarePx = 64;

/** A scene as it looks. */
export function sceneSvg(state: WorldState, scene: Scene, sight: SceneSight): Picture {
  const ground = groundMarks(scene).filter(({ look }) => look !== 'grid' || sight.hasGrid);
  const things = thingsOn(state, scene.id).filter(
    ({ isHidden }) => sight.hasOverlays && !(isHidden && sight.isPlayers),
  );
  const tokens = sight.tokens.map((token) => tokenOf(state, token, sight));
  return pictureOf(scene, [...ground.map(markOf), ...things.map(thingOf), ...tokens], sight);
}

/** The ground of a scene alone: its background image. */
export function backgroundSvg(scene: Scene): Picture {
  const ground = groundMarks(scene).filter(({ look }) => look !== 'grid');
  return pictureOf(scene, ground.map(markOf));
}

function pictureOf(
  scene: Scene,
  parts: readonly string[],
  asked: Pick<SceneSight, 'width' | 'height'> = {},
): Picture {
  const { columns, rows } = scene;
  const square = Math.min(largestSquarePx, Math.floor(longestPx / Math.max(columns, rows)));
  const width = Math.min(asked.width ?? columns * square, longestPx);
  const height = Math.min(asked.height ?? rows * square, longestPx);
  const [across, down] = [width / square, height / square];
  const view = [(columns - across) / 2, (rows - down) / 2, across, down].join(' ');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${view}">
<defs><radialGradient id="candlelight"><stop offset="0" stop-color="${inks.candle}" stop-opacity=".32"/><stop offset="1" stop-color="${inks.candle}" stop-opacity="0"/></radialGradient></defs>
<rect width="${columns}" height="${rows}" fill="${inks.paper}"/>
<g fill="none" stroke-linecap="round" stroke-linejoin="round" font-family="IM FELL English SC, Georgia, serif" text-anchor="middle">
${parts.join('\n')}
</g>
</svg>`;
  return { svg, width, height };
}

/**
 * What is hidden is faint. Neither this nor anything else makes a layer, as `opacity` and `clip-path` do: the renderer
 * cannot draw layers that lie outside of the picture.
 */
const faint = ' fill-opacity=".5" stroke-opacity=".5"';

function markOf({ look, d, hasHoles }: Mark): string {
  return `<path d="${d}"${attributesOf(look)}${hasHoles ? ' fill-rule="evenodd"' : ''}/>`;
}

function thingOf({ look, d, color, label, isHidden }: Thing): string {
  const name = label?.text ? textOf(label.text, { x: label.x, y: label.y, size: 0.22 }) : '';
  return `<g${isHidden ? faint : ''}><path d="${d}"${attributesOf(look, color)}/>${name}</g>`;
}

function tokenOf(state: WorldState, token: Token, { hasOverlays, turn }: SceneSight): string {
  const half = token.size / 2;
  const [x, y] = [token.x + half, token.y + half];
  const actor = state.actors.find(({ uuid }) => uuid === token.actorUuid);
  const disc = half * 0.72;
  const halo = `<circle r="${half * 1.12}" fill="${inks.accent}" fill-opacity=".28"/>`;
  const share = actor
    ? Math.max(0, Math.min(1, actor.hitPoints.value / Math.max(1, actor.hitPoints.max)))
    : 0;
  const ring = `<circle r="${half * 0.83}" stroke="${inks.line}" stroke-width=".09"/><circle r="${half * 0.83}" stroke="${share > 0.5 ? inks.good : inks.bad}" stroke-width=".09" stroke-dasharray="${share * half * 0.83 * 2 * Math.PI} 100" transform="rotate(-90)"/>`;
  const initial = textOf(token.name.charAt(0), { x: 0, y: 0, size: disc * 1.05, ink: '#ffffff' });
  return `<g transform="translate(${x} ${y})"${token.hidden ? faint : ''}>
${hasOverlays && turn === token.uuid ? halo : ''}<circle r="${half * 0.92}" fill="${inks.raised}"/>${hasOverlays && actor ? ring : ''}
<circle r="${disc}" fill="${colorOf(token.color)}"/>${initial}${hasOverlays ? textOf(token.name, { x: 0, y: half + 0.2, size: 0.24 }) : ''}</g>`;
}

interface TextPlace {
  x: number;
  y: number;
  size: number;
  ink?: string;
}

/** Letters with a rim of the floor's colour, so that they can be read on anything. */
function textOf(text: string, { x, y, size, ink }: TextPlace): string {
  const rim = ink ? '' : ` stroke="${inks.floor}" stroke-width="${size / 4}" paint-order="stroke"`;
  return `<text x="${x}" y="${y + size * 0.35}" font-size="${size}" font-weight="600" fill="${ink ?? inks.ink}"${rim}>${escaped(text)}</text>`;
}

const colorOf = (color: string): string => (/^#[\da-f]{6}$/i.test(color) ? color : inks.stone);
