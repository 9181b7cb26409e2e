import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { callFormOf } from './call-form.ts';
import { operationRequest } from './operation-request.ts';

const parameters = {
  uuid: Type.String(),
  note: Type.Optional(Type.String()),
  tags: Type.Optional(Type.Array(Type.String())),
  file: Type.Optional(Type.String()),
};
const bodyBytes = { parameter: 'file', encoding: 'base64', maxBytes: 10 } as const;
const given = { uuid: 'Macro.a b/c', note: 'x&y', tags: ['a'] };

describe('the request of a call', () => {
  test.each([
    ['GET', { method: 'GET', path: '/m?clientId=c&uuid=Macro.a+b%2Fc&note=x%26y&tags=%5B%22a%22%5D&userId=Ada' }],
    ['DELETE', { method: 'DELETE', path: '/m?clientId=c&uuid=Macro.a+b%2Fc&note=x%26y&tags=%5B%22a%22%5D&userId=Ada' }],
    ['POST', { method: 'POST', path: '/m?clientId=c', body: { ...given, userId: 'Ada' } }],
    ['PUT', { method: 'PUT', path: '/m?clientId=c', body: { ...given, userId: 'Ada' } }],
  ] as const)('of %s has its parameters in the body, or where there should be none in the query', (method, expected) => {
    const form = callFormOf({ method, path: '/m', parameters });
    expect(operationRequest({ form, parameters: given, clientId: 'c', userId: 'Ada' })).toEqual(expected);
  }); // prettier-ignore

  test.each([undefined, 'Ada'])('has the user that stands among its parameters, with %j beside them', (userId) => {
    const form = callFormOf({ method: 'POST', path: '/m', parameters });
    expect(operationRequest({ form, parameters: { ...given, userId: 'Ada' }, userId })).toEqual({
      method: 'POST',
      path: '/m',
      body: { ...given, userId: 'Ada' },
    });
  }); // prettier-ignore

  test('is not made where two users are given: one of them would be lost', () => {
    const form = callFormOf({ method: 'POST', path: '/m', parameters });
    const call = { form, parameters: { ...given, userId: 'Ada' }, userId: 'Bo' };
    expect(() => operationRequest(call)).toThrow(/userId .* differ/);
  });

  test('has the parameters of the path encoded in the path, and in no other place', () => {
    const form = callFormOf({ method: 'POST', path: '/macro/:uuid/execute', parameters });
    expect(operationRequest({ form, parameters: { uuid: 'Macro.a b/c?#', note: 'n' } })).toEqual({
      method: 'POST',
      path: '/macro/Macro.a%20b%2Fc%3F%23/execute',
      body: { note: 'n' },
    });
  });

  test.each(['', '.', '..', undefined])(
    'is not made where %j would stand in the path: the address would be another operation’s',
    (uuid) => {
      const form = callFormOf({ method: 'DELETE', path: '/chat/:uuid', parameters });
      expect(() => operationRequest({ form, parameters: { uuid } })).toThrow(RangeError);
    },
  );

  test('has a parameter of one place there, whatever the method prefers', () => {
    const places = { q: Type.Number({ place: 'query' }), b: Type.Number({ place: 'body' }) };
    const place = (method: 'POST' | 'DELETE') =>
      operationRequest({
        form: callFormOf({ method, path: '/m', parameters: places }),
        parameters: { q: 1, b: 2 },
      });
    expect(place('POST')).toEqual({ method: 'POST', path: '/m?q=1', body: { b: 2 } });
    expect(place('DELETE')).toEqual({ method: 'DELETE', path: '/m?q=1', body: { b: 2 } });
  });

  test.each([new Uint8Array([1, 2]), new Blob(['x'])])('has bytes as its body, and the rest in the query', (file) => {
    const form = callFormOf({ method: 'POST', path: '/m', parameters, bodyBytes });
    expect(operationRequest({ form, parameters: { uuid: 'a', file }, userId: 'Ada' })).toEqual({
      method: 'POST',
      path: '/m?uuid=a&userId=Ada',
      bytes: file,
    });
    expect(operationRequest({ form, parameters: { uuid: 'a', file: 'QQ==' } })).toEqual({
      method: 'POST',
      path: '/m',
      body: { uuid: 'a', file: 'QQ==' },
    });
  }); // prettier-ignore
});
