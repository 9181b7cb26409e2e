import { svgUrl } from '../../world/picture/paint-result.ts';
import type { Paint } from '../../world/picture/paint-result.ts';

/** Makes a picture by the browser's own canvas. */
export const paint: Paint = async (svg, { format, quality }) => {
  const image = new Image();
  image.src = svgUrl({ svg });
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  const url = canvas.toDataURL(`image/${format}`, quality);
  return url.slice(url.indexOf(',') + 1);
};
