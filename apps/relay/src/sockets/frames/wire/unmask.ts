import { createRequire } from 'node:module';

/** Copies `length` bytes to `offset` of `output`, and takes the mask off in passing. The mask's first byte is that of the first byte. */
type Unmask = (source: Buffer, mask: Buffer, output: Buffer, offset: number, length: number) => void;

/** A mask that is on is put on once more: so it is off. */
export const unmaskInScript: Unmask = (source, mask, output, offset, length) => {
  for (let at = 0; at < length; at++) output[offset + at] = (source[at] as number) ^ (mask[at & 3] as number);
};

/** The native code that `ws` uses as well. Like `ws` the relay runs without it where it cannot be loaded. */
export const unmask: Unmask = loadNative() ?? unmaskInScript;

function loadNative(): Unmask | undefined {
  try {
    return (createRequire(import.meta.url)('bufferutil') as { mask: Unmask }).mask;
  } catch {
    return undefined;
  }
}
