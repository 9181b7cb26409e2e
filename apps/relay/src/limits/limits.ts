import type { FastifyRequest } from 'fastify';
import { hash } from 'node:crypto';
import { Type } from 'typebox';
import type { TString } from 'typebox';

export interface Limit {
  max: number;
  windowMs: number;
}

const setting = (rate: string, what: string, by = 'address') =>
  Type.String({
    default: rate,
    pattern: '^[1-9]\\d{0,8} per [1-9]\\d{0,8} (s|min|h)$',
    description: `${what}, per ${by}.`,
  });

/** What an address may do, as settings: LIMIT_LOGIN and so on. Counted over the whole cluster. */
export const limitSettings = {
  limitRegister: setting('5 per 15 min', 'Registrations'),
  limitLogin: setting('20 per 15 min', 'Failed sign-ins'),
  limitRegenerateKey: setting('5 per 15 min', 'Rotations of a master key'),
  limitChangePassword: setting('5 per 15 min', 'Changes of a password'),
  limitDeleteAccount: setting('5 per 15 min', 'Deletions of an account'),
  limitForgotPassword: setting('3 per 1 h', 'Requests for a reset mail'),
  limitResetPassword: setting('3 per 1 h', 'Resets of a password'),
  limitPair: setting('10 per 15 min', 'Tries of a pairing code'),
  limitSelfUnpair: setting('30 per 1 min', 'Browsers that unpair themselves'),
  limitKeyRequestCreate: setting('20 per 15 min', 'New key requests'),
  limitKeyRequestExchange: setting('20 per 15 min', 'Exchanges of a key request’s code'),
  limitKeyRequestStatus: setting('1 per 2 s', 'Polls of a key request', 'code'),
  limitClientActive: setting('60 per 1 min', 'Questions whether a world is active'),
  limitConnect: setting('60 per 1 min', 'Attempts to connect', 'address and world, on each instance'),
  limitConnectRecords: setting(
    '60 per 1 min',
    'Attempts to connect without a known token that are logged each by itself, further ones as counts',
    'address, on each instance',
  ),
  limitModuleNotify: setting('60 per 1 min', 'Notices of a module that are recorded', 'socket'),
  limitKnownClients: setting(
    '30 per 1 min',
    'Lists of the account’s worlds that a module asks for',
    'socket',
  ),
  limitUnknownKeys: setting('30 per 1 min', 'Unknown keys and tokens'),
} satisfies Record<`limit${string}`, TString>;

type SettingName = keyof typeof limitSettings;
export type LimitName = SettingName extends `limit${infer Name}` ? Uncapitalize<Name> : never;
export type AccountLimits = Record<LimitName, Limit>;

const unitMs = { s: 1_000, min: 60_000, h: 3_600_000 };

/** Reads `5 per 15 min` and its like out of the settings. */
export function readLimits(settings: Record<SettingName, string>): AccountLimits {
  const entries = (Object.keys(limitSettings) as SettingName[]).map((name) => {
    const [max, , count, unit] = settings[name].split(' ') as [string, string, string, keyof typeof unitMs];
    const limitName = name.charAt(5).toLowerCase() + name.slice(6);
    return [limitName, { max: Number(max), windowMs: Number(count) * unitMs[unit] }];
  });
  return Object.fromEntries(entries) as AccountLimits;
}

/** The route's configuration for @fastify/rate-limit. */
export function limitOf(limits: AccountLimits, name: LimitName) {
  const { max, windowMs } = limits[name];
  return { rateLimit: { max, timeWindow: windowMs, groupId: name } };
}

/**
 * As `limitOf`, counted per code of the path. `normalize` brings the spellings of one code into one form. The key is
 * a hash, because the code is a secret.
 */
export function limitPerCode(limits: AccountLimits, name: LimitName, normalize: (code: string) => string) {
  const { rateLimit } = limitOf(limits, name);
  const keyGenerator = (request: FastifyRequest) =>
    hash('sha256', normalize((request.params as { code: string }).code), 'base64url');
  return { rateLimit: { ...rateLimit, keyGenerator } };
}
