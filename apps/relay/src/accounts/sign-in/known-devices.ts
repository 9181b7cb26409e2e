import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { hmacCode } from '../../credentials/codes.ts';
import type { VerifiedAccount } from '../account-lock.ts';
import { readCookie, writeCookie } from '../cookies.ts';

/**
 * Devices on which an account was signed in: a signed cookie lets its sign-ins go before strangers'. It signs nobody
 * in. It is made over the password's hash, so that it ends with the password.
 */
const cookieName = 'trd';
/** Browsers keep no cookie longer. */
const lifetimeS = 400 * 24 * 3600;
/** Accounts that share a browser. */
const maxEntries = 4;

/** What the browser shows, of whatever account: `<device>.<signature>`, joined by `~`. */
export function readDevices(request: FastifyRequest, publicUrl: string): string {
  return readCookie(request, publicUrl, cookieName) ?? '';
}

/** The device's id, where the cookie is this account's. */
export function findDevice(devices: string, account: VerifiedAccount, secret: string): string | undefined {
  const entry = devices
    .split('~')
    .slice(0, maxEntries)
    .find((text) => isSigned(text, account, secret));
  return entry && deviceOf(entry);
}

/** After a right password: this device is known to the account from now on, beside other accounts' entries. */
export function rememberDevice(
  request: FastifyRequest,
  reply: FastifyReply,
  input: { publicUrl: string; account: VerifiedAccount; secret: string },
): void {
  const { publicUrl, account, secret } = input;
  const devices = readDevices(request, publicUrl);
  const device = findDevice(devices, account, secret) ?? randomBytes(12).toString('base64url');
  const others = devices.split('~').filter((entry) => isEntry(entry) && deviceOf(entry) !== device);
  const entries = [`${device}.${sign(device, account, secret)}`, ...others].slice(0, maxEntries);
  writeCookie(reply, publicUrl, {
    name: cookieName,
    value: entries.join('~'),
    maxAgeS: lifetimeS,
    sameSite: 'Strict',
  });
}

const isEntry = (text: string) => /^[\w-]{16}\.[\w-]{43}$/.test(text);
const deviceOf = (entry: string) => entry.slice(0, entry.indexOf('.'));

function isSigned(entry: string, account: VerifiedAccount, secret: string): boolean {
  if (!isEntry(entry)) return false;
  const device = deviceOf(entry);
  const expected = Buffer.from(`${device}.${sign(device, account, secret)}`);
  return timingSafeEqual(expected, Buffer.from(entry));
}

function sign(device: string, { id, passwordHash }: VerifiedAccount, secret: string): string {
  return hmacCode(secret, 'known-device', `${id} ${device} ${passwordHash}`).toString('base64url');
}
