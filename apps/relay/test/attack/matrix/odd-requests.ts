import { METHODS } from 'node:http';
import type { Random } from '@tabletop-relay/testing';

/** Query strings, as they go on the wire; `CLIENT` becomes the victim's clientId. */
const oddQueries: readonly string[] = [
  '', '?', '&', '=', '&&&=', 'a', 'a=b&a=c', '%', '%zz=%zz', '%00=%00', 'a=%00', '__proto__=1', '__proto__[a]=1',
  'constructor.prototype.a=1', 'clientId=', 'clientId=%00', 'clientId=CLIENT', 'clientId=CLIENT&clientId=CLIENT',
  'clientId=x&clientId=CLIENT', 'clientId[]=CLIENT', 'clientId[$ne]=x', 'clientId=CLIENT%00', 'clientId=%20CLIENT',
  'CLIENTID=CLIENT', 'userId=__proto__', 'limit=0', 'limit=-1', 'limit=1e9', 'limit=201', 'limit=NaN', 'limit=',
  'limit=1&limit=2', 'limit=9007199254740993', 'cursor=', 'cursor=%00', "cursor='", 'cursor=zzzzzzzzzzzzzzzzzzzzzzzzzz',
  'since=0000-01-01T00:00:00Z', 'since=9999-12-31T23:59:60Z', 'since=2020-02-30T00:00:00Z', 'since=now',
  'since=2020-01-01T00:00:00Z&until=2019-01-01T00:00:00Z', 'outcome=%25', 'client=CLIENT', 'account=x', 'accountId=x',
  'apiKey=x', 'token=x', 'ticket=x', `a=${'x'.repeat(8_000)}`, Array.from({ length: 500 }, (_, index) => `a${index}=1`).join('&'),
  'actorUuid=Actor.a&skill=prc', 'all=true&all=false', 'uuids=%5B%5D', 'uuids=%5B', 'data=%7B%22__proto__%22:1%7D',
  'encounter=x&encounterId=y', 'method=DELETE', '_method=DELETE', 'callback=alert',
]; // prettier-ignore

/** Headers in the order in which they go; a name may stand twice. */
const oddHeaders: readonly (readonly [string, string][])[] = [
  [['x-client-id', 'CLIENT']],
  [
    ['x-client-id', 'CLIENT'],
    ['x-client-id', 'CLIENT'],
  ],
  [
    ['x-api-key', 'x'],
    ['x-api-key', 'y'],
  ],
  [
    ['authorization', 'Bearer x'],
    ['authorization', 'Bearer y'],
  ],
  [['authorization', 'Bearer']],
  [['authorization', `Bearer ${'x'.repeat(6_000)}`]],
  [['cookie', 'trs=; trs=x; __Host-trs=y; =; ;;']],
  [
    ['cookie', 'trs=x'],
    ['cookie', 'trs=y'],
  ],
  [['x-forwarded-for', '10.0.0.1, 203.0.113.7']],
  [['x-forwarded-host', 'evil.example']],
  [['x-forwarded-proto', 'https']],
  [['forwarded', 'for=203.0.113.7;host=evil.example']],
  [['x-http-method-override', 'DELETE']],
  [['x-original-url', '/admin/accounts']],
  [['origin', 'https://evil.example']],
  [['origin', 'null']],
  [['referer', 'https://evil.example/\u00e9']],
  [['x-poll-verifier', 'x']],
  [['last-event-id', '-1']],
  [['if-none-match', '*']],
  [['if-modified-since', 'yesterday']],
  [['range', 'bytes=0-0,-1,5-2']],
  [['accept', 'text/event-stream']],
  [['accept', 'application/xml']],
  [['accept-encoding', 'zstd, br;q=x, gzip']],
  [['content-encoding', 'gzip']],
  [['x-request-id', 'mine\u00e9']],
  [['traceparent', '00-0-0-00']],
  [['user-agent', '']],
  [['user-agent', `\u00ff${'x'.repeat(3_000)}`]],
  [['sec-fetch-site', 'same-origin']],
  [['access-control-request-method', 'DELETE']],
  [['__proto__', 'x']],
  [['constructor', 'x']],
];

/** All that Node reads, but CONNECT, which asks for another kind of connection. */
export const allMethods: readonly string[] = METHODS.filter((method) => method !== 'CONNECT');

export function pickQuery(random: Random, clientId: string): string {
  return random.pick(oddQueries).replaceAll('CLIENT', clientId);
}

export function pickHeaders(random: Random, clientId: string): [string, string][] {
  return random.pick(oddHeaders).map(([name, value]) => [name, value.replaceAll('CLIENT', clientId)]);
}
