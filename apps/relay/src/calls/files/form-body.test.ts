import { Busboy } from '@fastify/busboy';
import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ProblemError } from '../../problem.ts';
import { readForm } from './form-body.ts';

const contentType = 'multipart/form-data; boundary=x';
const read = (body: string | Buffer, maxBytes = 1_000) => readForm(contentType, Buffer.from(body), maxBytes);

const field = (name: string, value: string) =>
  `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = (name: string, content: string, type = 'text/plain') =>
  `--x\r\ncontent-disposition: form-data; name="f"; filename="${name}"\r\ncontent-type: ${type}\r\n\r\n${content}\r\n`;
const end = '--x--\r\n';

describe('a form', () => {
  test('is its one file, and its fields', async () => {
    const form = await read(
      field('path', 'maps') + file('a.txt', 'It rings.') + field('tag', '1') + field('tag', '2') + end,
    );
    expect(form).toEqual({
      bytes: Buffer.from('It rings.'),
      contentType: 'text/plain',
      fileName: 'a.txt',
      fields: { path: 'maps', tag: ['1', '2'] },
    });
  });

  test('may have an empty file, and one as large as it may be', async () => {
    expect((await read(file('a', '') + end)).bytes).toHaveLength(0);
    expect((await read(file('a', 'x'.repeat(1_000)) + end)).bytes).toHaveLength(1_000);
  });

  test('names a file without folders', async () => {
    expect((await read(file('../../a/b.txt', 'x') + end)).fileName).toBe('b.txt');
  });

  test('has fields of its own alone', async () => {
    const { fields } = await read(field('__proto__', 'x') + file('a', 'x') + end);
    expect(Object.keys(fields)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
  });

  test.each([
    ['breaks off in its file', file('a', 'It rin').slice(0, -2)],
    ['breaks off in a heading', '--x\r\ncontent-dispo'],
    ['has no end', file('a', 'x')],
    ['has no file', field('a', 'b') + end],
    ['is empty', end],
    ['has two files', file('a', 'x') + file('b', 'x') + end],
    ['has many fields', field('a', 'b').repeat(40) + file('a', 'x') + end],
    ['has a long field', field('a', 'x'.repeat(5_000)) + file('a', 'x') + end],
    ['is something else', 'hello'],
    ['has many boundaries in a row', '--x\r\n'.repeat(60)],
    ['has many boundaries behind its end', file('a', 'x') + end + '\r\n--x'.repeat(60)],
  ])('that %s is refused', async (_what, body) => {
    await expect(read(body)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('of nothing but boundaries is refused soon, however long it is', async () => {
    const body = Buffer.alloc(14_000_000, '--x\r\n');
    const startedAt = performance.now();
    await expect(read(body)).rejects.toMatchObject({ code: 'invalid_request' });
    // It took 13 s and more.
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });

  test.each([1, 65_533, 65_536, 65_540])(
    'is read in slices with a turn between them, wherever its boundaries stand (%i)',
    async (bytes) => {
      let turns = 0;
      const count = () => {
        turns++;
        next = setImmediate(count);
      };
      let next = setImmediate(count);
      const content = 'x'.repeat(bytes);
      const form = await read(
        file('a', content) + field('path', 'maps') + end + '-'.repeat(1_000_000),
        100_000,
      );
      clearImmediate(next);
      expect(form.bytes.toString()).toBe(content);
      expect(form.fields).toEqual({ path: 'maps' });
      expect(turns).toBeGreaterThan(10);
    },
  );

  test('has a boundary that is quoted, or of many characters', async () => {
    const boundary = '-'.repeat(20) + "aZ09'()+_,-./:=?".repeat(3);
    const body = (file('a', 'It rings.') + end).replaceAll('--x', `--${boundary}`);
    for (const name of [`boundary="${boundary}"`, `charset=utf-8; Boundary="${boundary}"`])
      expect((await readForm(`multipart/form-data; ${name}`, Buffer.from(body), 100)).fileName).toBe('a');
  });

  test.each(['', '; boundary=', '; boundary="a\\"b"', `; boundary=${'x'.repeat(71)}`, '; boundary="x "', '; boundary*=x', '; charset'])(
    'whose type ends with %j names no boundary, and is refused',
    async (rest) => {
      await expect(readForm(`multipart/form-data${rest}`, Buffer.from(end), 100)).rejects.toMatchObject({
        code: 'invalid_request',
      });
    },
  ); // prettier-ignore

  test('is not read on where a part of it is refused', async () => {
    const parser = vi.spyOn(Busboy.prototype, 'write');
    onTestFinished(() => parser.mockRestore());
    const twoFiles = file('a', 'x') + file('b', 'x'.repeat(1_000_000)) + end;
    await expect(read(twoFiles)).rejects.toMatchObject({ code: 'invalid_request' });
    expect(parser.mock.calls.length).toBeLessThan(3);
  });

  test('with a file above its size is refused as too large', async () => {
    await expect(read(file('a', 'x'.repeat(1_001)) + end)).rejects.toMatchObject({
      code: 'payload_too_large',
    });
  });

  test('is read or refused with a problem, whatever it is', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '--x',
        '--x--',
        '\r\n',
        '\r\n\r\n',
        '"',
        ';',
        ': ',
        file('a', 'x'),
        field('a', 'b'),
        end,
      ),
      fc.string({ unit: 'binary' }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece), async (pieces) => {
        const form = await read(pieces.join('')).catch((error: unknown) => error);
        expect(form instanceof ProblemError || Buffer.isBuffer((form as { bytes?: unknown }).bytes)).toBe(
          true,
        );
      }),
      { numRuns: 200 },
    );
  });
});
