import { randomFillSync } from 'node:crypto';

const digits = '0123456789abcdefghjkmnpqrstvwxyz';
const timeDigits = 10;
const randomDigits = 16;

/** Of many ids at once, because a request for a few random bytes costs more than the rest of an id. */
const randomBytes = Buffer.alloc(256 * randomDigits);
let used = randomBytes.length;

/** A ULID in lower case: 48 bits of time and 80 random bits. Ids sort by the time at which they were made. */
export function newId(now: number = Date.now()): string {
  if (used === randomBytes.length) {
    randomFillSync(randomBytes);
    used = 0;
  }
  let id = '';
  for (let place = timeDigits - 1; place >= 0; place--) id += digits[Math.floor(now / 32 ** place) % 32];
  for (let count = 0; count < randomDigits; count++) id += digits[(randomBytes[used++] ?? 0) % 32];
  return id;
}
