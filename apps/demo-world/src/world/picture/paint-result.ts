import type { ResultBytes } from '@tabletop-relay/contract';
import { valueAt } from '../differences.ts';
import type { Document } from '../document.ts';
import { mergeDocument } from '../store/merge.ts';

export interface PictureKind {
  format: 'png' | 'jpeg';
  /** 0 to 1, for `jpeg`. */
  quality: number;
}

/** Makes a picture of an SVG document, as base64. */
export type Paint = (svg: string, kind: PictureKind) => Promise<string>;

const svgHead = 'data:image/svg+xml,';

/** An SVG document as an address that holds it. */
export const svgUrl = ({ svg }: { svg: string }): string => svgHead + encodeURIComponent(svg);

/** What a world answers, with the kind of picture that was asked for in place of an SVG document. */
export async function paintResult<R extends object>({
  result,
  resultBytes: { field, contentType },
  parameters,
  paint,
}: {
  result: R;
  resultBytes: ResultBytes;
  parameters: object;
  paint: Paint;
}): Promise<R> {
  const drawn = valueAt(result, field);
  if (typeof drawn !== 'string' || !drawn.startsWith(svgHead)) return result;
  const svg = decodeURIComponent(drawn.slice(svgHead.length));
  const kind = kindOf(parameters as Document);
  const type = `image/${kind.format}`;
  const painted = {
    [field]: `data:${type};base64,${await paint(svg, kind)}`,
    ...(contentType !== undefined && { [contentType]: type }),
  };
  return mergeDocument(result as Document, painted) as R;
}

function kindOf({ format, quality }: Document): PictureKind {
  return {
    format: format === 'jpeg' ? 'jpeg' : 'png',
    quality: typeof quality === 'number' ? Math.min(1, Math.max(0, quality)) : 0.9,
  };
}
