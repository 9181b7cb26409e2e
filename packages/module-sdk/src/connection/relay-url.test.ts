import { describe, expect, test } from 'vitest';
import { parseRelayUrl, socketUrl } from './relay-url.ts';

describe('a relay address', () => {
  test.each([
    ['https://relay.example', 'https://relay.example', 'wss://relay.example'],
    ['wss://relay.example/', 'https://relay.example', 'wss://relay.example'],
    ['wss://relay.example/base/relay', 'https://relay.example/base', 'wss://relay.example/base'],
    ['http://localhost:3010', 'http://localhost:3010', 'ws://localhost:3010'],
    ['ws://127.0.0.2:1', 'http://127.0.0.2:1', 'ws://127.0.0.2:1'],
    ['wss://relay.example/base//', 'https://relay.example/base', 'wss://relay.example/base'],
    ['wss://relay.example/relay/b', 'https://relay.example/relay/b', 'wss://relay.example/relay/b'],
    ['ws://[::1]:1', 'http://[::1]:1', 'ws://[::1]:1'],
  ])('%s has both faces', (text, http, socket) => {
    expect(parseRelayUrl(text)).toEqual({ http, socket });
  });

  test.each([
    'ws://relay.example',
    'http://10.0.0.5:3010',
    'ws://127.0.0.1.evil.example',
    'ws://localhost@evil.example',
    'ws://localhost.evil.example',
    'ws://[::2]',
  ])('%s is refused: the token would travel unencrypted', (text) => {
    expect(() => parseRelayUrl(text)).toThrow(expect.objectContaining({ code: 'insecure_url' }));
    expect(parseRelayUrl(text, true).socket).toMatch(/^ws:/);
  });

  test.each(['', 'relay.example', 'ftp://relay.example', 'xhttp://relay.example', 'javascript:alert(1)'])(
    '%j is no address',
    (text) => {
      expect(() => parseRelayUrl(text, true)).toThrow(expect.objectContaining({ code: 'invalid_url' }));
    },
  );

  test('a socket address carries the world and no fingerprint', () => {
    const world = {
      worldId: 'a b',
      worldTitle: 'T&T',
      tabletopVersion: '13',
      systemId: 's',
      systemTitle: 'S',
      systemVersion: '1',
      customName: undefined,
      serverFingerprint: 'secret',
    };
    const url = new URL(socketUrl(parseRelayUrl('wss://relay.example'), 'c1', world));
    expect(url.pathname).toBe('/relay');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      id: 'c1',
      worldId: 'a b',
      worldTitle: 'T&T',
      tabletopVersion: '13',
      systemId: 's',
      systemTitle: 'S',
      systemVersion: '1',
    });
  });
});
