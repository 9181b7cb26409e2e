import type { RelayFile } from '../call.ts';

/** Reads an answer that is a file. The relay names every file in `content-disposition`; what has none is not the relay's. */
export async function readFile(response: Response): Promise<RelayFile | undefined> {
  const disposition = response.headers.get('content-disposition');
  if (disposition === null) return undefined;
  return {
    bytes: new Uint8Array(await response.arrayBuffer()),
    type: response.headers.get('content-type') ?? 'application/octet-stream',
    name: nameIn(disposition),
  };
}

/** The name as the relay writes it: percent-encoded UTF-8, or plain where it is ASCII. */
function nameIn(disposition: string): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1];
  return encoded ? decodeURIComponent(encoded) : /filename="([^"]*)"/.exec(disposition)?.[1];
}
