import { setFlagsFromString } from 'node:v8';

/**
 * Has V8 collect its young objects after each 16 MB of new buffers. The buffers of a reply live for milliseconds, and such a collection frees
 * them in one or two. By itself V8 waits for 128 MB, and from 64 MB on it runs full collections instead, which take ten times as long.
 * V8 reads the flag whenever a buffer is made, so it has effect at once; a V8 that does not know it goes on as before.
 */
export function collectBuffersEarly(): void {
  setFlagsFromString('--scavenger-max-new-space-capacity-mb=4');
}
