import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseReply } from './long-texts.ts';

const long = 'A'.repeat(100_000);

test('a long text is not in what is parsed, and its bytes are those of the reply', () => {
  const reply = Buffer.from(JSON.stringify({ data: { file: long, name: 'a' } }));
  const { fields, bytesOf } = parseReply(reply)!;
  expect(JSON.stringify(fields).length).toBeLessThan(200);
  const { file, name } = fields['data'] as { file: string; name: string };
  const bytes = bytesOf(file)!;
  expect(bytes.toString()).toBe(long);
  expect(bytes.buffer).toBe(reply.buffer);
  expect(bytesOf(name)?.toString()).toBe('a');
  expect(bytesOf(5)).toBeUndefined();
});

test('a long text with an escape in it is read as JSON reads it', () => {
  const { fields, bytesOf } = parseReply(Buffer.from(`{"file":"\\/${long}"}`))!;
  expect(bytesOf(fields['file'])?.toString()).toBe(`/${long}`);
});

test('every reply is read as JSON.parse reads it', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(long, `${long}"`, `\\${long}`));
  const few = { maxKeys: 3 };
  const inner = fc.oneof(text, fc.dictionary(text, text, few), fc.array(text, { maxLength: 3 }));
  const reply = fc.dictionary(fc.string(), inner, few);
  fc.assert(
    fc.property(reply, (fields) => {
      const printed = Buffer.from(JSON.stringify(fields));
      const parsed = parseReply(printed)!;
      const whole = (value: unknown): unknown => {
        if (Array.isArray(value)) return value.map(whole);
        if (typeof value !== 'object' || value === null) return parsed.bytesOf(value)?.toString();
        return Object.fromEntries(
          Object.entries(value).map(([key, inner]) => [parsed.bytesOf(key)!.toString(), whole(inner)]),
        );
      };
      expect(whole(parsed.fields)).toEqual(JSON.parse(printed.toString()));
    }),
    { numRuns: 25 },
  );
});

test.each(['"",', '{},', '[', '0,'])(
  'a reply of 15 MB of %j is not parsed, because it carries more than a file',
  (unit) => {
    const reply = Buffer.concat([
      Buffer.from('{"data":['),
      Buffer.alloc(15_000_000, unit),
      Buffer.from('0]}'),
    ]);
    expect(parseReply(reply)).toBeUndefined();
  },
);
