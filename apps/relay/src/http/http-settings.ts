import { bytes, count, milliseconds } from '@tabletop-relay/process';
import type { SettingsOf } from '@tabletop-relay/process';
import { Type } from 'typebox';

/** Public address, connections and bodies of the HTTP server. */
export const httpSettings = {
  publicUrl: Type.Optional(
    Type.String({
      pattern: '^https?://[^/]+$',
      description:
        'The address that callers, modules and people use, without a slash at the end. Not set: the request’s own, for loopback hosts only.',
    }),
  ),
  demoWorldUrl: Type.Optional(
    Type.String({
      pattern: '^https?://',
      description:
        'Address of a demo world’s page, which the dashboard then offers to who has no tabletop at hand. `pnpm start` sets it to its own.',
    }),
  ),
  hstsMaxAgeS: Type.Integer({
    minimum: 0,
    default: 31_536_000,
    unit: 's',
    description:
      'How long browsers shall use https alone for this host (HSTS). Sent where PUBLIC_URL is https; 0: they forget it.',
  }),
  trustedProxies: Type.Array(Type.String(), {
    default: [],
    description: 'CIDR ranges of the proxies whose X-Forwarded-For is believed.',
  }),
  maxConnections: count(20_000, 'Connections to an instance, sockets of modules included.'),
  maxConnectionsPerAddress: count(
    500,
    'Connections of one address (IPv6: of a /64, four times as many of a /48) to an instance, sockets of modules included. Those of TRUSTED_PROXIES have no such limit.',
  ),
  keepAliveMs: milliseconds(
    620_000,
    'How long a connection may be idle between two requests. It should be longer than the proxies before the relay keep theirs: the side that closes never loses a request. Above 80 % of MAX_CONNECTIONS, and in a drain, it is 5 s, and idle connections are closed.',
  ),
  compressionsAtOnce: Type.Integer({
    minimum: 0,
    default: 2,
    description:
      'Answers of 64 KiB and more that are compressed at the same time; those beyond go out as they are. 0: no answer of the API is compressed, as where a proxy does it.',
  }),
  maxBodyBytes: bytes(
    8_388_608,
    'Largest HTTP body of a call to a world; REQUEST_BYTES_PER_KEY and REQUEST_BYTES bound how many there are at once.',
  ),
};

/** Bounds of HTTP bodies that are the same everywhere. */
export const httpConstants = {
  /** Largest HTTP body of an account endpoint. */
  maxAccountBodyBytes: 65_536,
  /**
   * What all HTTP bodies that are not whole yet may take together, those up to 16 KiB apart; one address may take a quarter
   * of it.
   */
  maxPendingBodyBytes: 67_108_864,
};

export type HttpSettings = SettingsOf<typeof httpSettings> & typeof httpConstants;
