import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { isRefusal } from '../replies/settle-reply.ts';
import { scanReply } from './scan-reply.ts';

const scan = (text: string) => scanReply(Buffer.from(text));

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

const space = fc.constantFrom('', ' ', '\n\t', '\r');
const word = fc.constantFrom(
  'type',
  'requestId',
  'error',
  'data',
  'x-result',
  'x_1',
  '',
  'é',
  '\u2028',
  '"\\',
);
const value = fc.jsonValue({ maxDepth: 3 });
/** Replies as modules write them, and some as they do not. */
const reply = fc
  .tuple(
    fc.array(fc.tuple(word, fc.oneof(word, value), space), { maxLength: 4 }),
    fc.boolean(),
    fc.option(fc.nat(3)),
  )
  .map(([others, first, indent]) => {
    const head: [string, unknown, string][] = [
      ['type', 'x-result', ' '],
      ['requestId', 'x_1', ''],
    ];
    const members = first ? [...head, ...others] : [...others, ...head];
    const texts = members.map(
      ([name, content, gap]) =>
        `${gap}${JSON.stringify(name)}${gap}:${gap}${JSON.stringify(content, null, indent ?? undefined)}${gap}`,
    );
    return `{${texts.join(',')}}`;
  });

test('reads from a reply what JSON.parse reads, and leaves what is no plain reply to it', () => {
  let read = 0;
  fc.assert(
    fc.property(reply, (text) => {
      const head = scan(text);
      if (head === undefined) return;
      read++;
      expect(JSON.parse(text)).toMatchObject(head);
      expect(isRefusal(JSON.parse(text) as Record<string, unknown>)).toBe(false);
    }),
    { numRuns: 2_000 },
  );
  expect(read).toBeGreaterThan(500);
});

/** What makes valid JSON invalid, or otherwise: pieces of JSON, taken out and put in. */
const pieces = String.raw`" \ \u00 \u00zz \x \/ { } [ ] , : 0 01 - -0 1. .5 1.5 1e 1e+ 1E-9 +1 true tru null nul false NaN // '`;
const spaces = ['\t', '\n', '\u0000', '\u007f', ' ', '\u00a0', '\ufeff'];
const piece = fc.constantFrom(...pieces.split(' '), ...spaces);

test('takes no text that JSON.parse refuses', () => {
  let [taken, refused] = [0, 0];
  fc.assert(
    fc.property(reply, fc.array(fc.tuple(fc.nat(), fc.nat(2), piece), { maxLength: 2 }), (text, changes) => {
      for (const [at, removed, added] of changes) {
        const from = at % (text.length + 1);
        text = text.slice(0, from) + added + text.slice(from + removed);
      }
      const head = scan(text);
      const parsed = parse(text);
      if (parsed === undefined) refused++;
      if (head === undefined) return;
      taken++;
      expect(parsed).toMatchObject(head);
    }),
    { numRuns: 5_000 },
  );
  expect(Math.min(taken, refused)).toBeGreaterThan(500);
});

const head = '"type":"x-result","requestId":"x_1"';

it.each([
  ['numbers', '[0,-0,10,1.5,-1.25e9,1E+2,1e-7]'],
  ['words', '[true,false,null]'],
  ['escapes', String.raw`"\"\\\/\b\f\n\r\t\u00e9\uD83D\uDe00"`],
  ['empty values', '[{},[],"",{"":[[]]}]'],
  ['objects', '[{"a":1,"b":{"c":2,"d":3},"e":4}]'],
  ['space', ' [ 1 , { "a" : "b" } ] '],
  ['text beyond ASCII', '"é 😀 \u007f"'],
])('%s are valid', (_what, data) => {
  expect(scan(`{${head},"data":${data}}`)).toEqual({ type: 'x-result', requestId: 'x_1' });
});

it('a head that stands behind the data is found', () => {
  expect(scan(`{"data":"${'x'.repeat(100_000)}",${head}}`)).toEqual({ type: 'x-result', requestId: 'x_1' });
});

it.each(['null', 'false'])('a reply that says it has no error by %s is one like any other', (none) => {
  expect(scan(`{${head},"error":${none},"data":1}`)).toEqual({ type: 'x-result', requestId: 'x_1' });
});

it('space behind the object is skipped', () => {
  expect(scan(`{${head}} \n`)).toEqual({ type: 'x-result', requestId: 'x_1' });
});

/** Parted by bars. */
const invalid = String.raw`01|-01|-|1.|.5|1.e5|1e|1e+|+1|0x1|NaN|Infinity|1a||tru|nul|falsy|True|truee|undefined|[1,]|[,1]|[1 2]|[1|1]|[1}|{"a"}|{"a":}|{"a":1,}|{,}|{a:1}|{"a" 1}|{"a":1 "b":2}|{1:2}|{"a":1]|"a|'a'|//|"\x"|"\x0041"|"\u12"|"\u12g4"|"\u123 "`;

it.each([...invalid.split('|'), '"\t"', '"\n"', '"\u0000"'])('the value %s is no JSON', (data) => {
  const text = `{${head},"data":${data}}`;
  expect(parse(text)).toBeUndefined();
  expect(scan(text)).toBeUndefined();
});

it.each([
  ['another kind of frame', '{"type":"hook-event","requestId":"x_1"}'],
  ['a frame without an id', '{"type":"x-result"}'],
  ['an error', `{${head},"error":"no"}`],
  ['an error behind one that is none', `{${head},"error":null,"error":"no"}`],
  ['an error before one that is none', `{${head},"error":"no","error":null}`],
  ['an error of zero', `{${head},"error":0}`],
  ['a type twice', `{${head},"type":"y-result"}`],
  ['an escape in a name', String.raw`{${head},"\u0065rror":"no"}`],
  ['an escape in the type', String.raw`{"type":"\u0078-result","requestId":"x_1"}`],
  ['an id that is no text', '{"type":"x-result","requestId":7}'],
  ['an id beyond ASCII', '{"type":"x-result","requestId":"é"}'],
  ['an array', '[]'],
  ['nothing', ''],
  ['an empty object', '{}'],
  ['a text behind it', `{${head}}}`],
  ['a comma at the end', `{${head},}`],
  ['an array that ends as an object', `{${head},"data":[1}}`],
  ['a text that is cut off', `{${head},"data":"a`],
  ['a control character in a text', `{${head},"data":"\u0001"}`],
  ['values deeper than replies have', `{${head},"data":${'['.repeat(300)}${']'.repeat(300)}}`],
])('%s is left to JSON.parse', (_what, text) => {
  expect(scan(text)).toBeUndefined();
});

test('a megabyte of nothing but brackets, names or backslashes are no reply', () => {
  for (const filler of ['[', '{"a":', '\\\\', '"a":1,', '[],']) {
    const text = Buffer.from(`{${head},"data":[${filler.repeat(1_000_000 / filler.length)}`);
    expect(scanReply(text)).toBeUndefined();
  }
});
