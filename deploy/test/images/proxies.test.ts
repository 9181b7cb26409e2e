import { readConfig } from '@tabletop-relay/process';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { maxHeaderSize } from 'node:http';
import { httpSettings } from '../../../apps/relay/src/http/http-settings.ts';

const read = (name: string) => readFileSync(new URL(`../../proxy/${name}`, import.meta.url), 'utf8');
const haproxy = read('haproxy.cfg');
const nginx = read('nginx.conf');
const caddy = read('Caddyfile');

/** The number that a file has at a place, which must be there. */
function numberIn(file: string, pattern: RegExp): number {
  const [, value] = pattern.exec(file) ?? [];
  expect(value, String(pattern)).toBeDefined();
  return Number(value);
}

const { keepAliveMs, maxConnectionsPerAddress: ofAddress } = readConfig(Type.Object(httpSettings), {});
const keepAliveS = keepAliveMs / 1_000;

describe('the files of deploy/proxy', () => {
  it('close idle connections to the relays long before these do', () => {
    // Half of the idle ones go each time, and 20,000 are none after fifteen.
    expect(15 * numberIn(haproxy, / pool-purge-delay (\d+)s /)).toBeLessThan(keepAliveS / 2);
    expect(numberIn(nginx, /upstream relays \{[^}]* keepalive_timeout (\d+)s;/)).toBeLessThan(keepAliveS / 2);
    expect(numberIn(caddy, /transport http \{[^}]*\bkeepalive (\d+)s\n/)).toBeLessThan(keepAliveS / 2);
  });

  it('take heads as large as the relay does', () => {
    const headOf = (pattern: RegExp) => numberIn(haproxy, pattern);
    expect(headOf(/tune\.bufsize (\d+)/) - headOf(/tune\.maxrewrite (\d+)/)).toBe(maxHeaderSize);
    expect(1_024 * numberIn(nginx, /large_client_header_buffers \d+ (\d+)k;/)).toBe(maxHeaderSize);
    expect(1_024 * numberIn(caddy, /max_header_size (\d+)KiB\n/)).toBe(maxHeaderSize);
  });

  it('allow one address as many connections as the relay would, and bound its requests', () => {
    expect(numberIn(haproxy, /tcp-request connection reject if \{ sc0_conn_cur gt (\d+) \}/)).toBe(ofAddress);
    expect(numberIn(nginx, /limit_conn connections (\d+);/)).toBe(ofAddress);
    const aSecond = numberIn(nginx, /limit_req_zone .* rate=(\d+)r\/s;/);
    expect(numberIn(haproxy, /if \{ sc0_http_req_rate gt (\d+) \}/)).toBe(10 * aSecond);
    expect(haproxy).toMatch(/http_req_rate\(10s\)/);
  });

  it('let a bounded number of new connections through in a second', () => {
    expect(numberIn(haproxy, /rate-limit sessions (\d+)/)).toBeGreaterThan(0);
  });
});
