import type { Look } from '../map/mark.ts';

/** The colours of pictures: those of the page by day. */
export const inks = {
  paper: '#faf7f1',
  raised: '#fffdfa',
  ink: '#29251f',
  line: '#e0d8ca',
  accent: '#3d4ba6',
  good: '#27693b',
  bad: '#a5301d',
  rock: '#b3a792',
  floor: '#f7f1e3',
  flagstone: '#f0e8d5',
  grid: '#ddd2bb',
  wall: '#2f2a22',
  water: '#c4d9de',
  shallows: '#dbe8e6',
  shore: '#5c7f8c',
  stone: '#e4dac6',
  stoneLine: '#5b5142',
  wood: '#a87746',
  cloth: '#8d2f3b',
  gilt: '#eccb7a',
  candle: '#f6c667',
} as const;

interface Pen {
  fill?: string;
  /** 0 to 1. */
  opacity?: number;
  stroke?: string;
  /** In grid squares. */
  width?: number;
  dash?: string;
}

/** A pen that takes the colour of the thing itself. */
const own = 'own';

const pens: Readonly<Record<Look, Pen>> = {
  paper: { fill: inks.paper },
  rock: { stroke: inks.rock, width: 0.04 },
  floor: { fill: inks.floor },
  flagstones: { fill: inks.flagstone },
  water: { fill: inks.water },
  shallows: { stroke: inks.shallows, width: 0.5 },
  waves: { stroke: inks.shore, width: 0.035 },
  shore: { stroke: inks.shore, width: 0.05 },
  grid: { stroke: inks.grid, width: 0.025 },
  walls: { stroke: inks.wall, width: 0.13 },
  cast: { fill: inks.ink, opacity: 0.22 },
  stone: { fill: inks.stone, stroke: inks.stoneLine, width: 0.045 },
  chisel: { stroke: inks.stoneLine, width: 0.03 },
  cloth: { fill: inks.cloth, stroke: inks.stoneLine, width: 0.03 },
  sun: { fill: inks.gilt },
  rays: { stroke: inks.gilt, width: 0.04 },
  wax: { fill: inks.floor, stroke: inks.stoneLine, width: 0.03 },
  flame: { fill: inks.candle, stroke: inks.candle, width: 0.05 },
  glow: { fill: 'url(#candlelight)' },
  wood: { fill: inks.wood, stroke: inks.wall, width: 0.06 },
  planks: { stroke: inks.wall, width: 0.03 },
  ring: { fill: inks.gilt },
  barrier: { stroke: inks.wall, width: 0.12 },
  'door-shut': { stroke: inks.wood, width: 0.2 },
  'door-open': { stroke: inks.wood, width: 0.2, dash: '.02 .3' },
  light: { fill: own, opacity: 0.12, stroke: own, width: 0.06, dash: '.02 .16' },
  sound: { stroke: inks.shore, width: 0.04 },
  drawing: { fill: own, opacity: 0.16, stroke: own, width: 0.06 },
  tile: { fill: inks.stone, opacity: 0.7, stroke: inks.stoneLine, width: 0.06 },
  template: { fill: own, opacity: 0.16, stroke: own, width: 0.06 },
  region: { fill: own, opacity: 0.16, stroke: own, width: 0.06, dash: '.3 .12' },
  note: { fill: inks.cloth, stroke: inks.floor, width: 0.06 },
};

/** The attributes by which an SVG path looks like what it is. */
export function attributesOf(look: Look, color: string = inks.accent): string {
  const { fill, opacity, stroke, width, dash } = pens[look];
  const given = {
    fill: fill === own ? color : fill,
    'fill-opacity': opacity,
    stroke: stroke === own ? color : stroke,
    'stroke-width': width,
    'stroke-dasharray': dash,
  };
  return Object.entries(given)
    .flatMap(([name, value]) => (value === undefined ? [] : [` ${name}="${value}"`]))
    .join('');
}
