import { OperationRefused } from '@tabletop-relay/module-sdk';

export interface OwnFile {
  dataUrl: string;
  mimeType: string;
}

/** What a frame to the relay may carry, less what base64 adds. */
const mostBytes = 11 * 1024 * 1024;

/** A file of the tabletop's own server, by its path. An address of another place is refused before anything is asked. */
export async function readOwnFile(path: string): Promise<OwnFile> {
  const url = new URL(path, document.baseURI);
  if (url.origin !== location.origin) {
    throw new OperationRefused(`${path} lies at another place`, 'not_allowed');
  }
  if (isKept(url)) {
    throw new OperationRefused(`${path} is what the tabletop keeps to itself`, 'not_allowed');
  }
  const answer = await fetch(url, { credentials: 'same-origin' });
  if (!answer.ok) throw new OperationRefused(`There is no ${path}`, 'file_not_found');
  const blob = await answer.blob();
  if (blob.size > mostBytes) {
    throw new OperationRefused(`${path} has ${blob.size} bytes, and ${mostBytes} can be sent`, 'too_large');
  }
  const mimeType = blob.type.split(';')[0] || 'application/octet-stream';
  return { dataUrl: await dataUrlOf(blob, mimeType), mimeType };
}

/** Databases: users, settings of all modules, what players may not see. No permission of a document guards a file. */
const isKept = ({ pathname }: URL): boolean =>
  /\/worlds\/+[^/]+\/+(data|packs)\/|\.db$/i.test(decoded(pathname));

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function dataUrlOf(blob: Blob, mimeType: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file cannot be read')));
    reader.readAsDataURL(blob.slice(0, blob.size, mimeType));
  });
}
