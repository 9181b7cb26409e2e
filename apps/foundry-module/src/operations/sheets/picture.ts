import { OperationRefused } from '@tabletop-relay/module-sdk';
import { readOwnFile } from './own-files.ts';

export interface Picture {
  imageData: string;
  width: number;
  height: number;
}

/**
 * A picture of an element as it stands in the page: a copy with all its styles written out, within an SVG that is painted on a canvas. Pictures of
 * the tabletop's own server are in it; what lies elsewhere is left out, because the canvas could not be read with it.
 */
export async function pictureOf(
  element: HTMLElement,
  { mimeType, quality, scale }: { mimeType: string; quality: number; scale: number },
): Promise<Picture> {
  const { width, height } = element.getBoundingClientRect();
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  if (size.width < 1 || size.height < 1)
    throw new OperationRefused('The sheet shows nothing', 'not_supported');
  const copy = await copyOf(element);
  copy.style.cssText += `;position:static;transform:none;margin:0;width:${width}px;height:${height}px`;
  copy.setAttribute('xmlns', 'http://www.w3.org/1999/xhtml');
  const markup = new XMLSerializer().serializeToString(copy);
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="0 0 ${width} ${height}">` +
    `<foreignObject width="100%" height="100%">${markup}</foreignObject></svg>`;
  const image = await load(`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`);
  const canvas = Object.assign(document.createElement('canvas'), size);
  canvas.getContext('2d')?.drawImage(image, 0, 0, size.width, size.height);
  return { ...size, imageData: canvas.toDataURL(mimeType, quality) };
}

function load(address: string): Promise<HTMLImageElement> {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.addEventListener('load', () => resolve(image));
    image.addEventListener('error', () =>
      reject(new OperationRefused('The sheet cannot be painted', 'not_supported')),
    );
    image.src = address;
  });
}

/** A copy that needs no style sheet and no file. */
async function copyOf(element: HTMLElement): Promise<HTMLElement> {
  const copy = element.cloneNode(true) as HTMLElement;
  const pairs: (readonly [Element, Element])[] = [[element, copy]];
  const [olds, news] = [element.querySelectorAll('*'), copy.querySelectorAll('*')];
  olds.forEach((old, index) => pairs.push([old, news[index]!]));
  const waiting: Promise<void>[] = [];
  for (const [old, made] of pairs) {
    if (!(made instanceof HTMLElement)) continue;
    made.style.cssText = stylesOf(old);
    if (made instanceof HTMLInputElement) made.setAttribute('value', (old as HTMLInputElement).value);
    if (made instanceof HTMLTextAreaElement) made.textContent = (old as HTMLTextAreaElement).value;
    if (made instanceof HTMLImageElement) waiting.push(withOwnPicture(made, old as HTMLImageElement));
  }
  await Promise.all(waiting);
  for (const gone of copy.querySelectorAll('script,link,style,iframe,object,embed,video,audio,source')) {
    gone.remove();
  }
  return copy;
}

function stylesOf(element: Element): string {
  const styles = getComputedStyle(element);
  return [...styles]
    .map((name) => `${name}:${styles.getPropertyValue(name)}`)
    .filter((style) => !style.includes('url('))
    .join(';');
}

async function withOwnPicture(made: HTMLImageElement, old: HTMLImageElement): Promise<void> {
  made.removeAttribute('srcset');
  try {
    made.src = (await readOwnFile(old.currentSrc || old.src)).dataUrl;
  } catch {
    made.removeAttribute('src');
  }
}
