import type { Paint } from '../../world/outside.ts';

/** Makes a picture by the browser's own canvas. */
export const paint: Paint = async (svg, { format, quality }) => {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  return canvas.toDataURL(`image/${format}`, quality);
};
