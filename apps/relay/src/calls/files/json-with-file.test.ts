import { describe, expect, test } from 'vitest';
import { parseJsonWithFile } from './json-with-file.ts';

const parse = (json: string | Buffer) =>
  parseJsonWithFile(Buffer.from(json), (text) => Promise.resolve(JSON.parse(text) as unknown));

const fileData = 'A'.repeat(15_000_000);

describe('JSON with a file', () => {
  test.each([
    ['as it is', (json: string) => json],
    ['with escaped slashes, as PHP writes them', (json: string) => json.replaceAll('/', '\\/')],
  ])('is read %s', async (_how, write) => {
    const given = { path: 'maps', fileData: `data:image/png;base64,${fileData}`, overwrite: true };
    expect(await parse(write(JSON.stringify(given)))).toEqual(given);
  });

  test('may have the file as a list of 1 MiB of numbers', async () => {
    const given = { binaryData: Array.from({ length: 1_048_576 }, (_, index) => 100 + (index % 156)) };
    expect(await parse(JSON.stringify(given))).toEqual(given);
  });

  test('keeps a long text that is no parameter’s value for the check of parameters', async () => {
    const value = (await parse(JSON.stringify({ path: { a: fileData } }))) as { path: object };
    expect(value.path).toBeTypeOf('object');
  });

  test.each([
    ['brackets', '['],
    ['short objects', '{},'],
    ['short texts', '"",'],
    ['short keys', '"a":0,'],
    ['numbers', '0,'],
    ['spaces', ' '],
  ])('of nothing but %s is refused before it is parsed', async (_what, unit) => {
    const body = Buffer.alloc(15_000_000, unit);
    const refused = parseJsonWithFile(body, () => Promise.reject(new Error('it was parsed')));
    await expect(refused).rejects.toMatchObject({ code: 'payload_too_large' });
  });

  test('with a line break within the file’s text is no JSON', async () => {
    await expect(parse(`{"fileData":"${fileData}\n"}`)).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test.each(['null', '5', '"text"', '[]'])('%s is read as it is', async (json) => {
    expect(await parse(json)).toEqual(JSON.parse(json));
  });
});
