import { expect, it } from 'vitest';
import { serverName } from '@tabletop-relay/contract';
import { auditOf, nameOfBrowser } from './sender.ts';

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
    'Chrome on Windows',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
    'Safari on macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    'Safari on iOS',
  ],
  ['Mozilla/5.0 (X11; CrOS x86_64) Chrome/130.0 Safari/537.36 OPR/115.0', 'Opera on ChromeOS'],
  ['Mozilla/5.0 (Linux; Android 14) Chrome/130.0 Mobile Safari/537.36', 'Chrome on Android'],
  ['Mozilla/5.0 (iPad; CPU OS 17_5) Version/17.5 Safari/604.1', 'Safari on iOS'],
  ['Mozilla/5.0 (Macintosh) Electron/30.0 Chrome/130.0 Safari/537.36', 'Desktop app on macOS'],
  ['Node.js/24', serverName],
  ['a robot on Linux', 'Browser on Linux'],
  ['', 'Browser'],
])('a paired browser is named after its User-Agent: %s', (userAgent, name) => {
  expect(nameOfBrowser(userAgent)).toBe(name);
});

it('a record tells the address and the browser of a sender', () => {
  const sender = { ipAddress: '192.0.2.1', userAgent: 'Browser' };
  expect(auditOf({ ...sender, more: 1 } as typeof sender)).toEqual(sender);
});
