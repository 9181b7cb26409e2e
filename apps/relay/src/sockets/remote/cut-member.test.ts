import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutMember } from './cut-member.ts';

const cut = (text: string) => Buffer.concat(cutMember(Buffer.from(text), 'requestId')).toString();

test('of any JSON object it leaves out the member and nothing else', () => {
  const names = fc.oneof(fc.constantFrom('requestId', 'type', 'data', 'requestid', ''), fc.string());
  const gap = fc.string({ unit: fc.constantFrom(' ', '\n', '\t'), maxLength: 2 });
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(names, fc.jsonValue(), gap), { selector: ([name]) => name, maxLength: 6 }),
      (members) => {
        const text = members
          .map(
            ([name, value, space]) =>
              `${space}${JSON.stringify(name)}${space}:${space}${JSON.stringify(value)}`,
          )
          .join(',');
        const expected = JSON.parse(`{${text}}`) as Record<string, unknown>;
        delete expected['requestId'];
        expect(JSON.parse(cut(`{${text}}`))).toEqual(expected);
      },
    ),
    { numRuns: 1_000 },
  );
});

test.each([
  ['without the member', '{"type":"x"}'],
  ['with the name inside a value alone', '{"data":{"requestId":"a"}}'],
  ['with nothing', '{}'],
  ['with the name behind more members than are looked at', `{${'"a":0,'.repeat(1_000)}"requestId":"a"}`],
  ['that is cut short', '{"type":"x","requestId'],
  ['that is cut short in the member', '{"type":"x","requestId":"a'],
])('an object %s stays as it is', (_what, text) => {
  expect(cut(text)).toBe(text);
});
