import { endpointLimits } from '@tabletop-relay/contract';
import type { LimitEntry, LimitName as EndpointLimitName } from '@tabletop-relay/contract';
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

/** The limits that endpoints name, as settings: the limit `register` is the setting LIMIT_REGISTER. */
const endpointSettings = Object.fromEntries(
  Object.entries<LimitEntry>(endpointLimits).map(([name, { rate, counts, by }]) => [
    `limit${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    setting(rate, counts, by),
  ]),
) as Record<`limit${Capitalize<EndpointLimitName>}`, TString>;

/** Every limit as a setting. The limits of endpoints count over all instances. */
export const limitSettings = {
  ...endpointSettings,
  limitConnect: setting('60 per 1 min', 'Attempts to connect', 'address and world, on each instance'),
  limitConnectRecords: setting(
    '60 per 1 min',
    'Attempts to connect without a known token that get a row each in the log; further ones are counted',
    'address, on each instance',
  ),
  limitModuleNotify: setting('60 per 1 min', 'Notices of a module that are recorded', 'socket'),
  limitKnownClients: setting(
    '30 per 1 min',
    'Lists of the account’s worlds that a module asks for',
    'socket',
  ),
  limitRemoteRequest: setting(
    '60 per 1 min',
    'Requests of a module to other worlds, counted over all instances; refused ones count too',
    'connection token',
  ),
  limitPolls: setting(
    '600 per 1 min',
    'Polls of key requests whatever their code, and as many of pair requests',
  ),
  limitDocuments: setting(
    '120 per 1 min',
    'Fetches of `/openapi.json`, `/asyncapi.json`, `/api/docs` and of the module under `/module`',
  ),
  limitUnknownKeys: setting('30 per 1 min', 'Unknown keys and tokens'),
} satisfies Record<`limit${string}`, TString>;

type SettingName = keyof typeof limitSettings;
type LimitName = SettingName extends `limit${infer Name}` ? Uncapitalize<Name> : never;
export type AccountLimits = Record<LimitName, Limit>;

const unitMs = { s: 1_000, min: 60_000, h: 3_600_000 };

/** Reads limits such as `5 per 15 min` from the settings. */
export function readLimits(settings: Record<SettingName, string>): AccountLimits {
  const entries = (Object.keys(limitSettings) as SettingName[]).map((name) => {
    const [max, , count, unit] = settings[name].split(' ') as [string, string, string, keyof typeof unitMs];
    const limitName = name.charAt(5).toLowerCase() + name.slice(6);
    return [limitName, { max: Number(max), windowMs: Number(count) * unitMs[unit] }];
  });
  return Object.fromEntries(entries) as AccountLimits;
}
