import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { endOfValue } from '../json-text.ts';
import { isRefusal } from '../replies/settle-reply.ts';
import { headBytes, readFrameHead } from './frame-head.ts';

const read = (text: string) => readFrameHead(Buffer.from(text));

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
    fc.oneof(fc.constantFrom('type', 'requestId', 'error', ...nearly), trickyText),
    fc.oneof(trickyText, value, fc.constantFrom(null, false, true, 0)),
    escapes,
    space,
  ),
  { selector: ([name]) => name, maxLength: 6 },
);

/** What is read of a frame, as `JSON.parse` has it. */
function headOf(parsed: Record<string, unknown>): object {
  const head: Record<string, unknown> = {};
  for (const key of ['type', 'requestId'])
    if (Object.hasOwn(parsed, key)) head[key] = typeof parsed[key] === 'string' ? parsed[key] : '';
  return isRefusal(parsed) ? { ...head, hasError: true } : head;
}

test('of any JSON object it reads what JSON.parse reads', () => {
  fc.assert(
    fc.property(fields, (members) => {
      const text = `{${members
        .map(([name, content, escaped, gap]) => {
          const text = typeof content === 'string' ? written(content, escaped) : JSON.stringify(content);
          return `${gap}${written(name, escaped)}${gap}:${gap}${text}${gap}`;
        })
        .join(',')}}`;
      expect(read(text)).toEqual(headOf(JSON.parse(text) as Record<string, unknown>));
    }),
    { numRuns: 1_000 },
  );
});

const piece = fc.constantFrom(
  '{', '}', '[', ']', ',', ':', '"', '\\', '"type":', '"requestId":', '"error":', '"ping"', '"\\u0074ype":"x"', ' ', '1', 'null', 'é',
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

/** Undefined: the text is no JSON object. */
function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** The keys of the head, however they are written, as often as they stand anywhere in the text. */
const named = /"(?:[tyqrueIdsop]|\\u00[0-9a-f]{2}){4,9}"\s*:/g;

test('it never throws, and reads of what is JSON after all what JSON.parse reads', () => {
  fc.assert(
    fc.property(damaged, (text) => {
      const head = read(text);
      const parsed = objectIn(text);
      const names = text.match(named) ?? [];
      // Of a key that stands twice another one counts here.
      const isClear = parsed !== undefined && new Set(names).size === names.length;
      expect(head).toEqual(isClear ? headOf(parsed) : head);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['no object', '["type","x"]'],
  ['nothing', ''],
  ['a byte order mark', '\ufeff{"type":"x"}'],
  ['cut off in a key', '{"ty'],
  ['cut off in a value', '{"type":"x'],
  ['an object without a name', '{type:"ping"}'],
  ['a name without a colon', '{"type" "ping"}'],
  ['a name without a value', '{"data":,"type":"x"}'],
  ['names parted by no comma', '{"data":1;"type":"x"}'],
])('what is %s has no head', (_what, text) => {
  expect(read(text)).toEqual({});
});

test.each([
  ['a type that is no text', '{"type":7}', { type: '' }],
  ['an id with a broken escape', String.raw`{"type":"x","requestId":"\u00zz"}`, { type: 'x', requestId: '' }],
  ['a type that is too long', `{"type":"${'x'.repeat(5_000)}"}`, { type: '' }],
  [
    'keys that stand twice',
    String.raw`{"requestId":"a","type":"x","requestId":"b","\u0074ype":"y"}`,
    { type: 'x', requestId: 'a' },
  ],
  ['an error behind one that is none', '{"error":null,"error":"no"}', { hasError: true }],
  ['an error before one that is none', '{"error":0,"error":false}', { hasError: true }],
])('%s', (_what, text, head) => {
  expect(read(text)).toEqual(head);
});

const ids = '"type":"x-result","requestId":"x_1"';

test('what stands behind 64 KiB is not seen, and what begins before them is', () => {
  const behind = (bytes: number, member: string) =>
    read(`{"pad":"${'x'.repeat(bytes - '{"pad":"",'.length)}",${member},"data":1}`);
  expect(behind(headBytes - ids.length, ids)).toEqual({ type: 'x-result', requestId: 'x_1' });
  expect(behind(headBytes - ids.length + 1, ids)).toEqual({ type: 'x-result' });
  expect(behind(headBytes, ids)).toEqual({});
  const error = `"error":"${'no'.repeat(headBytes)}"`;
  expect(behind(headBytes - '"error":"'.length, error)).toEqual({ hasError: true });
  expect(behind(headBytes, error)).toEqual({});
});

test('of 32 MiB of whatever a frame can hold no more is looked at than 64 KiB', () => {
  for (const filler of ['[', '{"a":', '\\\\', '"a":1,', '[],', ' ']) {
    const frame = Buffer.alloc(1 << 25, filler);
    frame.write(`{${ids},"data":[`);
    const looked = vi.spyOn(frame, 'subarray');
    const indexed = vi.spyOn(frame, 'indexOf');
    expect(readFrameHead(frame)).toEqual({ type: 'x-result', requestId: 'x_1' });
    expect(looked.mock.results.map(({ value }) => (value as Buffer).length)).toEqual([headBytes]);
    expect(indexed).not.toHaveBeenCalled();
  }
});

test.each([
  ['a long string', '"'.padEnd(60, 'x')],
  ['a string that ends in a backslash', '"x\\'],
  ['a long string whose only quote is escaped', `${'"'.padEnd(60, 'x')}\\"`],
  ['a list', '[1,["a]"'],
  ['nothing', ''],
])('the end of %s that is cut short is nowhere', (_what, text) => {
  expect(endOfValue(Buffer.from(text), 0)).toBe(-1);
});
