import { randomBytes } from 'node:crypto';

const digits = '0123456789abcdefghjkmnpqrstvwxyz';

/** A ULID in lower case: 48 bits of time and 80 random bits. Ids sort by the time at which they were made. */
export function newId(now: number = Date.now()): string {
  const bits = (BigInt(now) << 80n) | BigInt(`0x${randomBytes(10).toString('hex')}`);
  let id = '';
  for (let shift = 125n; shift >= 0n; shift -= 5n) id += digits[Number((bits >> shift) & 31n)];
  return id;
}
