import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutMember } from './without-member.ts';

const cut = (text: string) => withoutMember(Buffer.from(text), 'requestId')?.join('');

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const names = fc.oneof(fc.constantFrom('requestId', 'type', 'data', 'requestid', ''), fc.string());
const gap = fc.string({ unit: fc.constantFrom(' ', '\n', '\t'), maxLength: 2 });
const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
const written = (name: string, isEscaped: boolean) =>
  isEscaped ? `"${name.split('').map(escape).join('')}"` : JSON.stringify(name);
const object = fc
  .uniqueArray(fc.tuple(names, fc.jsonValue(), gap, fc.boolean()), {
    selector: ([name]) => name,
    maxLength: 6,
  })
  .map((members) => {
    const texts = members.map(
      ([name, value, space, isEscaped]) =>
        `${space}${written(name, isEscaped)}${space}:${space}${JSON.stringify(value)}${space}`,
    );
    return `{${texts.join(',')}}`;
  });

test('of any JSON object it leaves out the member and nothing else', () => {
  fc.assert(
    fc.property(object, gap, (text, space) => {
      const expected = JSON.parse(text) as Record<string, unknown>;
      delete expected['requestId'];
      expect(parse(cut(space + text + space) ?? '')).toEqual(expected);
    }),
    { numRuns: 1_000 },
  );
});

/** What can make an object end before its text does. */
const piece = fc.constantFrom('}', '{', ']', '[', ',', ':', '"', '\\', '},"requestId":"r2","data":{', '{}');

test('whatever it lets through, put into a frame, is the frame’s data alone', () => {
  let [taken, refused] = [0, 0];
  fc.assert(
    fc.property(object, fc.array(fc.tuple(fc.nat(), fc.nat(2), piece), { maxLength: 3 }), (text, changes) => {
      for (const [at, removed, added] of changes) {
        const from = at % (text.length + 1);
        text = text.slice(0, from) + added + text.slice(from + removed);
      }
      const rest = cut(text);
      if (parse(text) === undefined) refused++;
      else if (rest !== undefined) taken++;
      if (rest === undefined) return;
      const frame = parse(`{"requestId":"r1","data":${rest}}`);
      // An invalid value stays one, and then nobody takes the frame.
      if (frame === undefined) return;
      expect(Object.keys(frame as object)).toEqual(['requestId', 'data']);
      expect(frame).toMatchObject({ requestId: 'r1' });
    }),
    { numRuns: 5_000 },
  );
  expect(Math.min(taken, refused)).toBeGreaterThan(500);
});

test.each([
  ['with the name inside a value alone', '{"data":{"requestId":"a"}}'],
  ['with nothing', '{}'],
  ['with names like it', '{"requestid":1,"requestIds":2,"\\u0072equestI":3}'],
  ['with space around it', ' {"a":1} \n'],
])('an object %s stays as it is', (_what, text) => {
  expect(cut(text)).toBe(text);
});

test.each([
  ['closes and goes on', '{"type":"x","requestId":"a"},"requestId":"b","data":{"a":1}'],
  ['closes and goes on, of nothing', '{},"requestId":"b","data":{}'],
  ['is followed by another', '{"a":1}{"b":2}'],
  ['is cut short', '{"type":"x","requestId'],
  ['is cut short in the member', '{"type":"x","requestId":"a'],
  ['is cut short behind a comma', '{"type":"x",'],
  ['lacks a colon', '{"type","x"}'],
  ['lacks a value', '{"type":}'],
  ['lacks a name', '{,}'],
  ['has the member twice', '{"requestId":"a","type":"x","requestId":"b"}'],
  ['has more members than any reply', `{${'"a":0,'.repeat(10_000)}"requestId":"a"}`],
  ['is a list', '["requestId"]'],
  ['is a text', '"requestId"'],
  ['is empty', ''],
])('a text that %s is no object', (_what, text) => {
  expect(cut(text)).toBeUndefined();
});
