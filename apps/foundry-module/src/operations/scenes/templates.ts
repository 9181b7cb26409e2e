import type { Data } from '../../tabletop/documents.ts';
import { listOf } from '../../versions/core-version.ts';

/** Templates of areas, as generations before 14 have them, and the regions that they are since. */

/** The shapes of regions by the kinds of templates. */
const shapes = { circle: 'circle', cone: 'cone', rect: 'rectangle', ray: 'line' } as const;

type TemplateShape = keyof typeof shapes;

/** A template's data as those of a region with its shape. Data that have shapes are a region's already. */
export function regionOfTemplate(data: Data): Data {
  if ('shapes' in data) return data;
  const { t = 'circle', distance, x, y, direction = 0, angle = 0, width = 0, fillColor, ...rest } = data;
  const type = shapes[t as TemplateShape] ?? 'circle';
  const shape = { type, x, y, radius: distance, rotation: direction, angle, width, hole: false };
  return { name: 'Template', ...rest, ...(fillColor !== undefined && { color: fillColor }), shapes: [shape] };
}

/** The fields of a template, of a region that has one shape of those that templates have; else undefined. */
export function templateOfRegion(data: Data): Data | undefined {
  const all = listOf(data['shapes']);
  const [shape] = all;
  const t = (Object.keys(shapes) as TemplateShape[]).find((one) => shapes[one] === shape?.['type']);
  if (!shape || all.length > 1 || t === undefined) return undefined;
  const { x, y, radius, rotation = 0, angle = 0, width = 0 } = shape;
  return { t, x, y, distance: radius, direction: rotation, angle, width, fillColor: data['color'] };
}
