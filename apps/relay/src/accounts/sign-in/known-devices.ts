import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { RelaySecrets } from '@tabletop-relay/database';
import { hmacCode } from '../../credentials/codes.ts';
import type { Cookies } from '../../endpoint-handler.ts';
import type { VerifiedAccount } from '../account-lock.ts';

type KnownAccount = Pick<VerifiedAccount, 'id' | 'passwordHash'>;

/**
 * The name of the cookie that marks devices on which an account was signed in. Its sign-ins go before those of strangers;
 * it does not sign anybody in. Its signature covers the password's hash, so it ends with the password.
 */
const cookieName = 'trd';
/** Browsers keep no cookie longer. */
const lifetimeS = 400 * 24 * 3600;
/** So many accounts may share a browser. */
const maxEntries = 4;

/** The browser's entries, one for each account: `<device>.<signature>`, joined by `~`. */
export function readDevices(cookies: Cookies): string {
  return cookies.read(cookieName);
}

/** The device's id, if the cookie has an entry of this account. */
export function findDevice(
  devices: string,
  account: KnownAccount,
  secrets: RelaySecrets,
): string | undefined {
  const entry = devices
    .split('~')
    .slice(0, maxEntries)
    .find((text) => secrets.some((secret) => isSigned(text, account, secret)));
  return entry && deviceOf(entry);
}

/** Makes this device known to the account, after its password was right. Entries of other accounts stay. */
export function rememberDevice(
  cookies: Cookies,
  { account, secrets }: { account: KnownAccount; secrets: RelaySecrets },
): void {
  const devices = readDevices(cookies);
  const device = findDevice(devices, account, secrets) ?? randomBytes(12).toString('base64url');
  const others = devices.split('~').filter((entry) => isEntry(entry) && deviceOf(entry) !== device);
  const entries = [`${device}.${sign(device, account, secrets[0])}`, ...others].slice(0, maxEntries);
  cookies.write({
    name: cookieName,
    value: entries.join('~'),
    maxAgeS: lifetimeS,
    sameSite: 'Strict',
  });
}

const isEntry = (text: string) => /^[\w-]{16}\.[\w-]{43}$/.test(text);
const deviceOf = (entry: string) => entry.slice(0, entry.indexOf('.'));

function isSigned(entry: string, account: KnownAccount, secret: string): boolean {
  if (!isEntry(entry)) return false;
  const device = deviceOf(entry);
  const expected = Buffer.from(`${device}.${sign(device, account, secret)}`);
  return timingSafeEqual(expected, Buffer.from(entry));
}

function sign(device: string, { id, passwordHash }: KnownAccount, secret: string): string {
  return hmacCode(secret, 'known-device', `${id} ${device} ${passwordHash}`).toString('base64url');
}
