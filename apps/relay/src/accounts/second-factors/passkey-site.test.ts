import { expect, test } from 'vitest';
import { passkeySite } from './passkey-site.ts';

test.each([
  ['https://relay.example', { rpId: 'relay.example', origin: 'https://relay.example' }],
  ['https://relay.example:8443', { rpId: 'relay.example', origin: 'https://relay.example:8443' }],
  ['http://localhost:3010', { rpId: 'localhost', origin: 'http://localhost:3010' }],
  ['http://relay.localhost', { rpId: 'relay.localhost', origin: 'http://relay.localhost' }],
  ['http://relay.example', undefined],
  ['http://127.0.0.1:3010', undefined],
  ['https://192.0.2.1', undefined],
  ['https://[2001:db8::1]', undefined],
  ['', undefined],
])('passkeys at %j', (publicUrl, site) => {
  expect(passkeySite(publicUrl)).toEqual(site);
});
