import { Type } from 'typebox';
import type { Static, TObject, TProperties } from 'typebox';

/** The values of a group of settings, as `readConfig` reads them. */
export type SettingsOf<T extends TProperties> = Static<TObject<T>>;

/** A whole number of things, at least one unless a minimum is given. */
export const count = (value: number, description: string, minimum = 1) =>
  Type.Integer({ minimum, default: value, description });

export const bytes = (value: number, description: string) =>
  Type.Integer({ minimum: 1, default: value, description, unit: 'bytes' });

const weekMs = 604_800_000;

/**
 * A time of a week at most: a timer of Node that gets more than 24.8 days ends at once, and several of these are added up. What is
 * no timer may have another maximum.
 */
export const milliseconds = (value: number, description: string, minimum = 0, maximum = weekMs) =>
  Type.Integer({ minimum, maximum, default: value, description, unit: 'ms' });

/** Port 0 takes any that is free. */
export const port = (description: string, value?: number) =>
  Type.Integer({
    minimum: 0,
    maximum: 65_535,
    ...(value !== undefined && { default: value }),
    description,
  });

/** A text that is never printed and may stand in a file. */
export const secret = (description: string, minLength = 1) =>
  Type.String({ secret: true, minLength, description });

const maxSecrets = 8;

/** As `secret`, several of them or none; the newest first. */
export const secrets = (description: string, minLength = 1) =>
  Type.Array(Type.String({ minLength }), { secret: true, default: [], maxItems: maxSecrets, description });

const redisPattern = '^rediss?://';

/** The address of a Redis; secret, since it may hold a password. */
export const redisAddress = (description: string) =>
  Type.String({ secret: true, pattern: redisPattern, description });

/** As `redisAddress`, several of them or none. */
export const redisAddresses = (description: string) =>
  Type.Array(Type.String({ pattern: redisPattern }), { secret: true, default: [], description });
