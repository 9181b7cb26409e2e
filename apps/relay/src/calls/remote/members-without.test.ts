import fc from 'fast-check';
import { expect, test } from 'vitest';
import { membersWithout } from './members-without.ts';

function cut(text: string, names = ['requestId']): string | undefined {
  const members = membersWithout(Buffer.from(text), names);
  return members && `{${members.join('')}}`;
}

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

test('of any JSON object it leaves out several members', () => {
  fc.assert(
    fc.property(object, gap, (text, space) => {
      const {
        requestId: _id,
        type: _type,
        data: _data,
        ...expected
      } = JSON.parse(text) as Record<string, unknown>;
      expect(parse(cut(space + text + space, ['type', 'requestId', 'data']) ?? '')).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

test('whatever it lets through, put behind members of a frame, takes none of their places', () => {
  fc.assert(
    fc.property(object, fc.array(fc.tuple(fc.nat(), fc.nat(2), piece), { maxLength: 3 }), (text, changes) => {
      for (const [at, removed, added] of changes) {
        const from = at % (text.length + 1);
        text = text.slice(0, from) + added + text.slice(from + removed);
      }
      const rest = membersWithout(Buffer.from(text), ['type', 'requestId']);
      if (rest === undefined) return;
      const inner = rest.join('');
      const frame = parse(`{"type":"x-result","requestId":"r1"${inner === '' ? '' : `,${inner}`}}`);
      if (frame === undefined) return;
      expect(frame).toMatchObject({ type: 'x-result', requestId: 'r1' });
    }),
    { numRuns: 5_000 },
  );
});

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
  expect(cut(text)).toBe(text.trim());
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
