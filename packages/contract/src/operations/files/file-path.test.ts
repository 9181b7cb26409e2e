import { describe, expect, test } from 'vitest';
import { errorsOf, wireOf } from '../../../test/reading.ts';

describe('a path of a file', () => {
  test.each([
    'maps/chapel.png',
    '/maps/chapel.png',
    'worlds/chapel/a b (1).webp',
    'maps/a..b/c...d.png',
    'maps/Kapelle – Süd.png',
    'maps/a.png?v=1',
    'httpd/logs.txt',
  ])('%j stays within the tabletop’s files', (path) => {
    expect(wireOf('download-file', { query: { path } })).toMatchObject({ path });
  });

  test.each([
    'https://evil.example/x.png', 'HTTP://evil.example', 'http:evil.example', 'ftp://evil.example', 'data:text/html,x',
    'javascript:alert(1)', 'file:///etc/passwd', 'blob:https://a/b', '//evil.example/x', '\\\\evil.example\\x', '/\\evil.example',
    ' https://evil.example', '\thttps://evil.example', 'ht\ntps://evil.example', '\u0000https://evil.example', 'a\u007fb',
    '../secret', 'maps/../../secret', 'maps/..', '..', 'maps/%2e%2E/secret', 'maps/.%2e/secret', 'maps/..%2fsecret',
    'maps%2f..%2fsecret', 'maps/..%5csecret', 'maps/..?x', 'maps\\..\\secret', '', 'x'.repeat(1_025),
  ])('%j does not, and is refused before it is sent', (path) => {
    for (const name of ['download-file', 'file-system', 'upload-file']) {
      // An empty path is the topmost folder.
      if (path === '' && name !== 'download-file') continue;
      const upload = { filename: 'a', fileData: 'data:;base64,' };
      const source = name === 'upload-file' ? { body: { path, ...upload } } : { query: { path } };
      expect(errorsOf(name, source)).toEqual([expect.objectContaining({ field: 'path' })]);
    }
  }); // prettier-ignore

  test('is judged at once, however it is made', () => {
    const startedAt = performance.now();
    for (const part of ['../', './', '%2e', 'a/', '..%2f', 'a.a/'])
      errorsOf('download-file', { query: { path: `${part.repeat(200)}\n` } });
    expect(performance.now() - startedAt).toBeLessThan(200);
  });
});

test.each(['', '.', '..', 'a/b', 'a\\b', 'a\nb'])('%j is no name of a file', (filename) => {
  const body = { path: '', filename, fileData: 'data:;base64,' };
  expect(errorsOf('upload-file', { body })).toEqual([expect.objectContaining({ field: 'filename' })]);
});

test.each(['data:', 'data:;base64,', 'data:image/png;base64,'])('%j is an empty file', (fileData) => {
  expect(errorsOf('upload-file', { body: { path: '', filename: 'a', fileData } })).toEqual([]);
});

test.each(['https://evil.example/x', 'data:text/plain,x', 'QUJD'])(
  '%j is no file in a data URL',
  (fileData) => {
    const body = { path: '', filename: 'a', fileData };
    expect(errorsOf('upload-file', { body })).toEqual([expect.objectContaining({ field: 'fileData' })]);
  },
);
