import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readFrameHead } from './frame-head.ts';
import { endOfValue } from '../json/json-text.ts';

const readAll = (text: string) => readFrameHead(Buffer.from(text), () => false);

/** A string as JSON may write it: any character may be escaped. */
const written = (text: string, escaped: readonly boolean[]): string =>
  `"${Array.from({ length: text.length }, (_, index) =>
    escaped[index % escaped.length]
      ? `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`
      : JSON.stringify(text[index]).slice(1, -1),
  ).join('')}"`;

const space = fc.string({ unit: fc.constantFrom(' ', '\n', '\r', '\t'), maxLength: 3 });
const escapes = fc.array(fc.boolean(), { minLength: 1, maxLength: 5 });
/** Texts in which quotes and backslashes stand everywhere, long ones among them. */
const trickyText = fc.string({
  unit: fc.constantFrom('"', '\\', 'a', '{', '}', '[', ']', ',', ':', '\u0000', 'é', '😀', 'type'),
  maxLength: 80,
});
const value = fc.oneof(
  fc.jsonValue(),
  trickyText,
  fc.array(trickyText),
  fc.dictionary(trickyText, fc.jsonValue()),
);
const nearly = ['typ', 'types', 'Type', 'type ', 'requestid', 'requestId2', '', '__proto__', 'data'];
const fields = fc.uniqueArray(
  fc.tuple(
    fc.oneof(fc.constantFrom('type', 'requestId', ...nearly), trickyText),
    fc.oneof(trickyText, value),
    escapes,
    space,
  ),
  { selector: ([name]) => name, maxLength: 6 },
);

test('of any JSON object it reads the type and requestId that JSON.parse reads', () => {
  fc.assert(
    fc.property(fields, (members) => {
      const text = `{${members
        .map(([name, content, escaped, gap]) => {
          const text = typeof content === 'string' ? written(content, escaped) : JSON.stringify(content);
          return `${gap}${written(name, escaped)}${gap}:${gap}${text}${gap}`;
        })
        .join(',')}}`;
      const parsed = JSON.parse(text) as Record<string, unknown>;
      const { type, requestId } = parsed;
      const head = readAll(text);
      const expected = {
        ...(type === undefined ? {} : { type }),
        ...(requestId === undefined ? {} : { requestId: typeof requestId === 'string' ? requestId : '' }),
      };
      expect(head).toEqual(type === undefined || typeof type === 'string' ? expected : undefined);
    }),
    { numRuns: 1_000 },
  );
});

const piece = fc.constantFrom(
  '{', '}', '[', ']', ',', ':', '"', '\\', '"type":', '"requestId":', '"ping"', '"\\u0074ype":"x"', ' ', '1', 'null', 'é',
  '"a', '\\"', '\\u00', '\u0000',
); // prettier-ignore
/** What is no JSON in most cases, and JSON in some. */
const damaged = fc.oneof(
  fc.array(piece, { maxLength: 30 }).map((pieces) => `{${pieces.join('')}`),
  fc
    .tuple(fields, fc.nat({ max: 200 }), fc.constantFrom('', '"', '\\', '}', ','))
    .map(([members, at, inserted]) => {
      const text = JSON.stringify(Object.fromEntries(members));
      // Half a character cannot stand in UTF-8.
      return (text.slice(0, at) + inserted + text.slice(at + 1)).toWellFormed();
    }),
);

/** Undefined: the text is no JSON object with a type. */
function typeAsParsed(text: string): string | undefined {
  try {
    const { type } = JSON.parse(text) as { type?: unknown };
    return typeof type === 'string' ? type : undefined;
  } catch {
    return undefined;
  }
}

test('it never throws, and calls nothing unreadable that JSON.parse reads', () => {
  fc.assert(
    fc.property(damaged, (text) => {
      const head = readAll(text);
      const parsed = typeAsParsed(text);
      const isClear = text.split(/"(?:t|\\u0074)ype"/).length === 2;
      expect(head?.type === parsed || parsed === undefined || !isClear).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['no object', '["type","x"]'],
  ['no object but for its first byte', '["type":"x"}'],
  ['nothing', ''],
  ['a byte order mark', '\ufeff{"type":"x"}'],
  ['cut off in a key', '{"ty'],
  ['cut off in a long string', `{"data":"${'x'.repeat(100)}`],
  ['cut off behind a backslash', `{"data":"${'x'.repeat(100)}\\"`],
  ['cut off in a nested value', '{"data":[{"a":"}"}'],
  ['without a value', '{"data":,"type":"x"}'],
  ['with a comma too many', '{"data":1,}'],
  ['with a broken escape in its type', '{"type":"\\u00zz"}'],
  ['with a type that is no text', '{"type":{"toString":1}}'],
])('what is %s has no head', (_what, text) => {
  expect(readAll(text)).toBeUndefined();
});

test('of a key that stands twice the first is read', () => {
  expect(readAll('{"requestId":"a","type":"x","requestId":"b","\\u0074ype":"y"}')).toEqual({
    type: 'x',
    requestId: 'a',
  });
});

test('texts that are too long for a type or an id are never cut to one', () => {
  expect(readAll(`{"type":"${'x'.repeat(5_000)}","requestId":"${'y'.repeat(5_000)}"}`)).toEqual({
    type: '',
    requestId: '',
  });
});

test('it looks no further than needed, and at no more than a thousand keys', () => {
  const text = '{"type":"hook-event","data":{"broken';
  expect(readFrameHead(Buffer.from(text), ({ type }) => type !== undefined)).toEqual({ type: 'hook-event' });
  expect(readAll(`{${'"":0,'.repeat(1_000)}"type":"x"}`)).toEqual({});
});

test.each([
  '"type":"ping"}',
  '["type","ping"]',
  '{type:"ping"}',
  '{"type" "ping"}',
  '{"type":"ping" "requestId":"a"}',
  '{"type":"ping";"requestId":"a"}',
  '{"type":7}',
  '{"type":"\\x"}',
])('%s is certainly no frame', (text) => {
  expect(readAll(text)).toBeUndefined();
});

test.each(['{"requestId":,', '{"requestId":["a', '{"requestId":{"a":"b"', '{"requestId":"a'])(
  'of %s the id has no end, so it is certainly no frame',
  (text) => {
    expect(readFrameHead(Buffer.from(text), ({ requestId }) => requestId !== undefined)).toBeUndefined();
  },
);

test.each([
  ['a long string', '"'.padEnd(60, 'x')],
  ['a string that ends in a backslash', '"x\\'],
  ['a long string whose only quote is escaped', `${'"'.padEnd(60, 'x')}\\"`],
  ['a list', '[1,["a]"'],
  ['nothing', ''],
])('the end of %s that is cut short is nowhere', (_what, text) => {
  expect(endOfValue(Buffer.from(text), 0)).toBe(-1);
});
