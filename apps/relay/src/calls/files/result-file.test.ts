import { command, listOperations } from '@tabletop-relay/contract';
import type { Operation, ResultBytes } from '@tabletop-relay/contract';
import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { readResultFile } from './result-file.ts';

const resultBytes: ResultBytes = { field: 'data.file', contentType: 'mime', fileName: 'name' };

function operationWith(file: Type.TSchema): Operation {
  const definition = command({
    effect: 'changes',
    summary: 'Fetch a file',
    scope: 'world:read',
    parameters: {},
    result: Type.Object({ data: Type.Object({ file }) }),
    resultBytes,
    example: { parameters: {}, result: { data: { file: '' } } },
  });
  const group = { name: 'files', title: 'Files', prefix: '', definitions: { fetch: definition } } as const;
  return listOperations(group)[0]!;
}

const required = operationWith(Type.String());

const read = (fields: object, operation = required) => {
  const frame = { type: 'fetch-result', requestId: 'fetch_1', ...fields };
  return readResultFile(operation, resultBytes, Buffer.from(JSON.stringify(frame)));
};

const png = { data: { file: 'iVBORw==' }, mime: 'image/png' };

describe('a file', () => {
  test.each([
    ['base64 with its type in a field', { data: { file: 'iVBORw==' }, mime: 'image/png' }],
    ['a data URL', { data: { file: 'data:image/png;base64,iVBORw==' } }],
    ['a field with space around its type', { data: { file: 'iVBORw==' }, mime: ' image/png ; x=1' }],
    ['a data URL and a field, which counts', { data: { file: 'data:text/html;base64,iVBORw==' }, mime: 'IMAGE/PNG; x=1' }],
  ])('is read from %s', (_what, fields) => {
    expect(read(fields)).toEqual({
      bytes: Buffer.from([0x89, 0x50, 0x4e, 0x47]),
      headers: { 'content-type': 'image/png', 'content-disposition': 'inline' },
    });
  }); // prettier-ignore

  test.each(['', 'data:', 'data:;base64,', 'data:text/plain;base64,'])('is empty as %j', (file) => {
    expect(read({ data: { file } })).toMatchObject({ bytes: Buffer.alloc(0) });
  });

  test.each([
    'text/html', 'image/svg+xml', 'application/xhtml+xml', 'text/javascript', 'application/xml', 'text/xml', 'text/css', 'x', '',
    'image/png, text/html', 'image/png\u0000', 'text/html;image/png',
  ])('of type %j, which a browser might run, is plain bytes to save', (mime) => {
    expect(read({ ...png, mime, name: 'a.html' })).toMatchObject({
      headers: {
        'content-type': 'application/octet-stream',
        'content-disposition': 'attachment; filename="a.html"',
      },
    });
  }); // prettier-ignore

  test.each([
    ['text/plain', 'Gruß', 'text/plain; charset=utf-8'],
    ['TEXT/CSV; charset=latin1', 'a;b', 'text/csv; charset=utf-8'],
    ['application/json', '{}', 'application/json; charset=utf-8'],
    ['text/plain', Buffer.from([0xe9]), 'text/plain'],
    ['application/pdf', '%PDF', 'application/pdf'],
    ['audio/mpeg', 'x', 'audio/mpeg'],
    ['video/mp4', 'x', 'video/mp4'],
  ])('of type %s, of which no browser runs anything, keeps it', (mime, bytes, expected) => {
    const file = Buffer.from(bytes).toString('base64');
    expect(read({ data: { file }, mime }).headers['content-type']).toBe(expected);
  });

  test.each([
    [{ size: { w: 560, h: 719.6 } }, { 'x-image-width': '560', 'x-image-height': '720' }],
    [{ size: { w: '560', h: null } }, {}],
    [{ size: { w: -1, h: 1e300 } }, {}],
    [{}, {}],
  ])('has the size of a picture that the world tells: %j', (fields, expected) => {
    const sized = { ...resultBytes, width: 'size.w', height: 'size.h' };
    const frame = Buffer.from(JSON.stringify({ ...png, ...fields }));
    const {
      'content-type': _type,
      'content-disposition': _name,
      ...rest
    } = readResultFile(required, sized, frame).headers;
    expect(rest).toEqual(expected);
  });

  test.each([
    ['maps/chapel.png', 'filename="chapel.png"'],
    ['C:\\maps\\chapel.png', 'filename="chapel.png"'],
    ['a"; x="b\r\nset-cookie: c', `filename="a_; x=_bset-cookie: c"; filename*=UTF-8''a%22%3B%20x%3D%22bset-cookie%3A%20c`],
    ['Kapelle – Süd.png', `filename="Kapelle _ S_d.png"; filename*=UTF-8''Kapelle%20%E2%80%93%20S%C3%BCd.png`],
    [`${'x'.repeat(3_000)}.png`, `filename="${'x'.repeat(196)}.png"`],
    ["Süd (*)'.png", `filename="S_d (*)'.png"; filename*=UTF-8''S%C3%BCd%20%28%2a%29%27.png`],
    ['\ud800', `filename="_"; filename*=UTF-8''%EF%BF%BD`],
  ])('named %j has a name that no header and no folder can be broken with', (name, expected) => {
    expect(read({ ...png, name }).headers['content-disposition']).toBe(`inline; ${expected}`);
  }); // prettier-ignore

  test.each([
    ['image/jpeg', 'inline; filename="fetch.jpeg"'],
    ['image/svg+xml', 'attachment; filename="fetch.svg+xml"'],
    ['audio/ogg', 'inline'],
  ])(
    'of type %s whose literal tells no name is named after its operation, where it is an image',
    (mime, expected) => {
      const frame = Buffer.from(JSON.stringify({ ...png, mime }));
      const { fileName: _fileName, ...unnamed } = resultBytes;
      expect(readResultFile(required, unnamed, frame).headers['content-disposition']).toBe(expected);
    },
  );

  test('without a byte is a file', () => {
    expect(read({ data: { file: '' } }).bytes).toHaveLength(0);
  });
});

describe('a reply', () => {
  test.each(['no base64!', 'iVBORw=', 'iVBORw==iVBORw==', 'iVBO Rw==', 'data:image/png,x', 5, { a: 1 }, undefined, null])(
    'with %j for a file is a bad one',
    (file) => {
      expect(() => read({ data: { file } })).toThrow(
        expect.objectContaining({ code: 'client_bad_reply', fields: expect.objectContaining({ requestId: 'fetch_1' }) as unknown }),
      );
    },
  ); // prettier-ignore

  test.each([
    ['that is cut off', '{"data":{"file":"iVBORw=="'],
    ['whose file has an escape that is none', `{"data":{"file":"\\x${'A'.repeat(100_000)}"}}`],
  ])('%s is a bad one', (_what, text) => {
    expect(() => readResultFile(required, resultBytes, Buffer.from(text))).toThrow(
      expect.objectContaining({
        code: 'client_bad_reply',
        message: expect.stringContaining('not JSON') as string,
      }),
    );
  });

  test('without a file is the world’s refusal, where the operation may have none', () => {
    const optional = operationWith(Type.Optional(Type.String()));
    for (const fields of [{}, { data: {} }, { data: { file: null } }])
      expect(() => read(fields, optional)).toThrow(
        expect.objectContaining({ code: 'operation_failed', fields: { requestId: 'fetch_1' } }),
      );
    expect(read(png, optional).bytes).toHaveLength(4);
  });
});

test('a file whose literal tells no field for the type has that of its data URL', () => {
  const { contentType: _contentType, ...untyped } = resultBytes;
  const frame = { ...png, data: { file: 'data:image/gif;base64,iVBORw==' } };
  const file = readResultFile(required, untyped, Buffer.from(JSON.stringify(frame)));
  expect(file.headers['content-type']).toBe('image/gif');
});

test.each(['data.file', 'data.nothing.file', 'nothing.at.all'])(
  'a reply without %s, which its literal knows little of, is a bad one',
  (field) => {
    const operation = { ...required, result: Type.Object({ data: Type.Unknown() }) } as Operation;
    const frame = Buffer.from(JSON.stringify({ requestId: 'fetch_1' }));
    expect(() => readResultFile(operation, { field }, frame)).toThrow(
      expect.objectContaining({ code: 'client_bad_reply' }),
    );
  },
);
