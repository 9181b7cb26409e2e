import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import path from 'node:path';

/** The folder of the pages that guides are written from. */
export const docs = path.join(import.meta.dirname, '../../../docs');

/** A picture's file from `docs/`, and its size on the page in CSS pixels. */
export interface PictureFile {
  file: string;
  width: number;
  height: number;
}

/** What a page of `docs/` shows: the picture that it names, and `name.dark.png` for the dark theme where that stands beside it. */
export function pictureFiles(
  href: string,
  page: string,
  root = docs,
): [light: PictureFile, dark?: PictureFile] {
  const light = path.posix.join(path.posix.dirname(page), href);
  const dark = light.replace(/\.png$/, '.dark.png');
  const files = [light, ...(dark !== light && existsSync(path.join(root, dark)) ? [dark] : [])];
  return files.map((file) => ({ file, ...sizeOf(file, root) })) as [PictureFile, PictureFile?];
}

/** The path of a picture in a relay: the file’s name, for no two are alike. */
export const picturePath = (file: string): string => `/guides/images/${path.posix.basename(file)}`;

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function sizeOf(file: string, root: string): { width: number; height: number } {
  const start = Buffer.alloc(24);
  const descriptor = openSync(path.join(root, file), 'r');
  readSync(descriptor, start);
  closeSync(descriptor);
  // The first chunk is the header, which begins with width and height.
  if (!start.subarray(0, 8).equals(signature))
    throw new Error(`${file} is no PNG, as pictures of guides are`);
  return { width: start.readUInt32BE(16), height: start.readUInt32BE(20) };
}
