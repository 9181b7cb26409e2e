/** An argument of a command as Redis gets it: bytes in parts become one buffer. */
export function joined<A extends string | number | Buffer>(arg: A | readonly Buffer[]): A | Buffer {
  return Array.isArray(arg) ? Buffer.concat(arg as Buffer[]) : (arg as A);
}
