import type { Reply } from './cluster.ts';

/**
 * Frees the memory of a buffer that nobody reads any more, not even a write to a socket. The collector would do it later, and hold up
 * all calls meanwhile (docs/performance.md). A buffer that does not begin its memory may share it with others, and is left alone.
 */
export function freeBuffer({ buffer, byteOffset, length }: Buffer): void {
  if (length > 0 && byteOffset === 0 && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** The `release` of a large reply: it gives back the room for its bytes, and frees them where they have left. */
export function releaseOf(body: Buffer, giveBack: () => void): NonNullable<Reply['release']> {
  return (hasLeft) => {
    giveBack();
    if (hasLeft) freeBuffer(body);
  };
}
