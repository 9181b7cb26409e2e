/** A size for people: in MiB where it is a whole number of them. */
export function inWords(bytes: number): string {
  const mib = bytes / 1_048_576;
  return Number.isInteger(mib) ? `${mib} MiB` : `${bytes} bytes`;
}
