import { describe, expect, test } from 'vitest';
import { refusal } from '../../../../test/look-up.ts';
import { fileLimits } from '../../store/files.ts';
import { createWorld } from '../../world.ts';

const dataUrl = (text: string) => `data:text/plain;base64,${btoa(text)}`;

const names = (results: { path: string; type: string }[]) =>
  results.map(({ path, type }) => `${type} ${path}`);

describe('a file', () => {
  test('is uploaded, listed and downloaded as it was, and no page gets what it holds', () => {
    const world = createWorld();
    const fileData = dataUrl('It rings.');
    expect(world.answer('upload-file', { path: '/new//deep/', filename: 'a.txt', fileData })).toEqual({
      success: true,
      path: 'new/deep/a.txt',
    });
    expect(names(world.answer('file-system', { path: 'new', recursive: true }).results)).toEqual([
      'directory new/deep',
      'file new/deep/a.txt',
    ]);
    expect(world.answer('download-file', { path: 'new/deep/a.txt' })).toMatchObject({
      fileData,
      filename: 'a.txt',
      mimeType: 'text/plain',
    });
    expect(world.state().files['new/deep/a.txt']).toEqual({ mimeType: 'text/plain', bytes: 9 });
    expect(JSON.stringify(world.state())).not.toContain(btoa('It rings.'));
  });

  test.each(['data:', 'data:;base64,', 'data:text/plain;base64,'])('is empty as %j', (fileData) => {
    const world = createWorld();
    world.answer('upload-file', { path: '', filename: 'empty.txt', fileData });
    expect(world.state().files['empty.txt']).toMatchObject({ bytes: 0 });
  });

  test('may come as a list of bytes', () => {
    const world = createWorld();
    const bytes = Array.from({ length: 30_000 }, (_, index) => index % 256);
    world.answer('upload-file', { path: '', filename: 'a.bin', binaryData: bytes, mimeType: 'image/png' });
    const { fileData, mimeType } = world.answer('download-file', { path: 'a.bin' });
    expect(fileData).toBe(`data:image/png;base64,${Buffer.from(bytes).toString('base64')}`);
    expect(mimeType).toBe('image/png');
  });

  test('is replaced only where that is said, and skipped where that is said too', () => {
    const world = createWorld();
    const upload = (text: string, more: object) =>
      world.answer('upload-file', {
        path: 'handouts',
        filename: 'rules.txt',
        fileData: dataUrl(text),
        ...more,
      });
    const held = () => world.answer('download-file', { path: 'handouts/rules.txt' }).fileData;
    const old = held();
    for (const more of [{}, { skipIfExists: true }])
      expect(() => upload('new', more)).toThrow(refusal('already_exists'));
    upload('new', { overwrite: true, skipIfExists: true });
    expect(held()).toBe(old);
    upload('new', { overwrite: true });
    expect(held()).toBe(dataUrl('new'));
  });

  test.each([
    ['is no base64', { path: '', filename: 'a', fileData: 'data:text/plain;base64,!!!!' }, 'invalid_data'],
    ['would lie in another file', { path: 'handouts/rules.txt', filename: 'a', fileData: dataUrl('x') }, 'invalid_parameters'],
    ['would lie where a folder is', { path: '', filename: 'handouts', fileData: dataUrl('x'), overwrite: true }, 'already_exists'],
    ['would lie too deep', { path: 'a/'.repeat(20), filename: 'a', fileData: dataUrl('x') }, 'invalid_parameters'],
    ['belongs elsewhere', { path: '', filename: 'a', source: 's3', fileData: dataUrl('x') }, 'not_supported'],
  ])('that %s is refused', (_what, call, code) => {
    const world = createWorld();
    const before = world.state();
    expect(() => world.answer('upload-file', call)).toThrow(refusal(code));
    expect(world.state()).toBe(before);
  }); // prettier-ignore

  test('is listed with the folders on the way to it, as deep as three, each once and by its path', () => {
    const world = createWorld();
    for (const path of ['a/b/c/d', 'a/b', 'handouts/crypt/deep'])
      world.answer('upload-file', { path, filename: 'z.txt', fileData: dataUrl('x') });
    const list = (parameters: object) => world.answer('file-system', parameters);
    expect(list({})).toMatchObject({ success: true, path: '', source: 'data', recursive: false });
    expect(list({}).results).toEqual([
      { name: 'a', path: 'a', type: 'directory' },
      { name: 'handouts', path: 'handouts', type: 'directory' },
    ]);
    expect(names(list({ path: 'a', recursive: true }).results)).toEqual([
      'directory a/b',
      'directory a/b/c',
      'directory a/b/c/d',
      'file a/b/z.txt',
    ]);
    expect(names(list({ path: '/handouts/crypt/' }).results)).toEqual([
      'directory handouts/crypt/deep',
      'file handouts/crypt/inscription.txt',
    ]);
    expect(list({ path: '/handouts/crypt/' }).path).toBe('handouts/crypt');
    for (const path of ['hand', 'handouts/cry', 'handouts/rules.txt'])
      expect(() => list({ path })).toThrow(refusal('file_not_found'));
  });

  test.each([
    [{ fileData: 'data:text/x-a.b+c;base64,QQ==' }, 'text/x-a.b+c', 1],
    [{ fileData: 'data:text/plain;base64,QUE=', mimeType: 'text/html' }, 'text/html', 2],
    [{ fileData: 'data:;base64,' }, 'application/octet-stream', 0],
    [{ binaryData: [1, 2] }, 'application/octet-stream', 2],
  ])('has the type that is said, and so many bytes: %j', (given, mimeType, bytes) => {
    const world = createWorld();
    world.answer('upload-file', { path: '', filename: 'a', ...given });
    expect(world.state().files['a']).toEqual({ mimeType, bytes });
    expect(world.answer('download-file', { path: './a' })).toMatchObject({
      path: 'a',
      filename: 'a',
      mimeType,
    });
  });

  test.each(['QQ=', 'Q===', 'QQ=A', '=QQQ', 'Q-Q='])('that is %j is no base64', (text) => {
    const call = { path: '', filename: 'a', fileData: `data:text/plain;base64,${text}` };
    const upload = () => createWorld().answer('upload-file', call);
    expect(upload).toThrow(refusal('invalid_data'));
  });

  test.each(['../x', 'a/../b', 'a\\b', 'C:a', 'a\u0000b'])('never leads out of the world: %j', (path) => {
    expect(() => createWorld().answer('download-file', { path })).toThrow(refusal('invalid_parameters'));
  });

  test.each(['constructor', '__proto__', 'nowhere.txt'])('%s is not there', (path) => {
    expect(() => createWorld().answer('download-file', { path })).toThrow(refusal('file_not_found'));
    expect(() => createWorld().answer('file-system', { path })).toThrow(refusal('file_not_found'));
  });

  test('needs the right to it', () => {
    const world = createWorld();
    const as = { userId: 'Ben' };
    expect(() => world.answer('file-system', {}, as)).toThrow(refusal('permission_denied'));
    expect(() => world.answer('download-file', { path: 'handouts/rules.txt' }, as)).toThrow(
      refusal('permission_denied'),
    );
    world.answer('update-user', { id: 'ben', data: { role: 2 } });
    expect(world.answer('file-system', {}, as).results).not.toEqual([]);
    const upload = { path: '', filename: 'a', fileData: dataUrl('x') };
    expect(() => world.answer('upload-file', upload, as)).toThrow(refusal('permission_denied'));
  });
});

test('a world keeps so many files and bytes, and no more', () => {
  const world = createWorld();
  const upload = (filename: string, fileData: string) =>
    world.answer('upload-file', { path: '', filename, fileData });
  const large = `data:;base64,${'A'.repeat((fileLimits.bytes / 3) * 2)}`;
  upload('first', large);
  expect(() => upload('second', large)).toThrow(refusal('world_full'));
  const other = createWorld();
  const count = fileLimits.files - Object.keys(other.state().files).length;
  for (let index = 0; index < count; index += 1)
    other.answer('upload-file', { path: 'many', filename: `${index}`, fileData: 'data:;base64,' });
  const oneMore = { path: 'many', filename: 'more', fileData: 'data:;base64,' };
  expect(() => other.answer('upload-file', oneMore)).toThrow(refusal('world_full'));
});
