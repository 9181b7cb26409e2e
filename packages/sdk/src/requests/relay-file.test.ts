import { expect, test } from 'vitest';
import { readFile } from './relay-file.ts';

const fileNamed = (disposition?: string, type?: string) =>
  readFile(
    new Response(new Uint8Array([1, 2]), {
      headers: {
        ...(disposition === undefined ? {} : { 'content-disposition': disposition }),
        ...(type === undefined ? {} : { 'content-type': type }),
      },
    }),
  );

test.each([
  [`attachment; filename="map.png"`, 'map.png'],
  [`attachment; filename="karte.png"; filename*=UTF-8''h%C3%B6hle.png`, 'höhle.png'],
  [`attachment; filename*=UTF-8''h%C3%B6hle.png; size=2`, 'höhle.png'],
  ['attachment', undefined],
])('a file by %s is named %s', async (disposition, name) => {
  expect(await fileNamed(disposition, 'image/png')).toEqual({
    bytes: new Uint8Array([1, 2]),
    type: 'image/png',
    name,
  });
});

test('a file of no type is plain bytes', async () => {
  expect(await fileNamed('attachment')).toMatchObject({ type: 'application/octet-stream' });
});

test('an answer without a disposition is no file', async () => {
  expect(await fileNamed()).toBeUndefined();
});
