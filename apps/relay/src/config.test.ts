import { expect, it } from 'vitest';
import { warnOfRelayConfig } from './config.ts';

it.each([
  ['http://relay.example', 1],
  ['http://192.168.0.7:3010', 1],
  ['http://localhost.example', 1],
  ['http://localhost:3010', 0],
  ['http://127.0.0.1:3010', 0],
  ['http://[::1]:3010', 0],
  ['https://relay.example', 0],
  [undefined, 0],
])('the public address %s gets %i warnings', (publicUrl, warnings) => {
  expect(warnOfRelayConfig(publicUrl === undefined ? {} : { publicUrl })).toHaveLength(warnings);
});
