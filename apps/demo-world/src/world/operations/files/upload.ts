import { Refusal } from '../../refusal.ts';

interface Upload {
  fileData?: string | undefined;
  binaryData?: readonly number[] | undefined;
  mimeType?: string | undefined;
}

/** The base64 and the type of an upload. Refuses what is no base64. */
export function readUpload({ fileData, binaryData = [], mimeType }: Upload): {
  base64: string;
  mimeType: string;
} {
  if (fileData === undefined)
    return { base64: encode(binaryData), mimeType: mimeType ?? 'application/octet-stream' };
  // `data:` alone is an empty file.
  const base64 = fileData.split(',', 2)[1] ?? '';
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64))
    throw new Refusal('invalid_data', 'The file is no base64');
  return {
    base64,
    mimeType: mimeType ?? (/^data:([\w.+-]+\/[\w.+-]+)/.exec(fileData)?.[1] || 'application/octet-stream'),
  };
}

/** A multiple of three, so that no piece but the last is padded. */
const pieceBytes = 3 * 4_096;

function encode(bytes: readonly number[]): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes)
    pieces.push(btoa(String.fromCharCode(...bytes.slice(at, at + pieceBytes))));
  return pieces.join('');
}
