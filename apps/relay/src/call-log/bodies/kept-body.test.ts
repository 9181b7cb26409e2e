import {
  operations as allOperations,
  command,
  listOperations,
  onWire,
  query,
} from '@tabletop-relay/contract';
import type { Operation } from '@tabletop-relay/contract';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { keepAnswered, keepFailed } from './kept-body.ts';

const common = {
  scope: 'entity:read',
  result: Type.Object({}),
  example: { parameters: {}, result: {} },
} as const;
const text = (options = {}) => Type.Optional(Type.String(options));

const definitions = {
  plain: query({
    ...common,
    summary: 'Read it',
    parameters: { target: onWire('targetUuid', text()) },
  }),
  secretive: command({
    ...common,
    summary: 'Change it',
    parameters: {
      name: text(),
      password: onWire('newPassword', text({ unlogged: 'secret' })),
      source: text({ unlogged: 'script' }),
    },
    unloggedResult: ['data.macros.command'],
  }),
  upload: command({
    ...common,
    summary: 'Upload it',
    parameters: { path: text(), fileData: text() },
    bodyBytes: { parameter: 'fileData', encoding: 'base64', maxBytes: 3_000_000 },
    maxBodyBytes: 5_000_000,
  }),
  image: query({ ...common, summary: 'Show it', parameters: {}, resultBytes: { field: 'data.image' } }),
};

const operations = new Map(
  listOperations({ name: 'test', title: '', prefix: '', definitions }).map((one) => [one.name, one]),
);
const named = (name: keyof typeof definitions) => operations.get(name) as Operation;
const answer = (data: object) => Buffer.from(JSON.stringify({ type: 'x-result', requestId: 'x_1', data }));

test('parameters are kept by the names that callers use', () => {
  const kept = keepAnswered(named('plain'), { targetUuid: 'Actor.a', userId: 'gm' }, answer({ hp: 3 }));
  expect(JSON.parse(kept.request)).toEqual({ target: 'Actor.a', userId: 'gm' });
  expect(JSON.parse(kept.answer)).toMatchObject({ data: { hp: 3 } });
  expect([kept.requestLacks, kept.answerLacks]).toEqual(['', '']);
});

test('secrets and scripts are left out of the request, and what is marked of the answer, in lists too', () => {
  const wire = { name: 'n', newPassword: 'hunter2', source: 'game.quit()' };
  const kept = keepAnswered(
    named('secretive'),
    wire,
    answer({
      macros: [
        { id: 1, command: 'game.quit()' },
        { id: 2, command: 'game.quit()' },
      ],
    }),
  );
  expect(JSON.parse(kept.request)).toEqual({ name: 'n' });
  expect(kept.requestLacks).toBe('password (a secret), source (a script)');
  expect(JSON.parse(kept.answer)).toMatchObject({ data: { macros: [{ id: 1 }, { id: 2 }] } });
  expect(JSON.stringify(kept)).not.toMatch(/hunter2|game\.quit/);
  expect(JSON.stringify(keepFailed(named('secretive'), wire, { code: 'client_offline' }))).not.toMatch(
    /hunter2|game\.quit/,
  );
});

test('a document that brings a script is left out, and so is the answer that repeats it', () => {
  const update = allOperations.find(({ name }) => name === 'update') as Operation;
  const macro = { uuid: 'Macro.a', data: { command: 'game.quit()' } };
  const kept = keepAnswered(update, macro, answer(macro));
  expect(JSON.parse(kept.request)).toEqual({ uuid: 'Macro.a' });
  expect([kept.requestLacks, kept.answerLacks]).toEqual(['data (a script)', 'all of it (a script)']);
  expect(kept.answer).toBe('');
  const actor = { uuid: 'Actor.a', data: { name: 'Mira' } };
  expect(JSON.parse(keepAnswered(update, actor, answer(actor)).request)).toEqual(actor);
});

test('the bytes of files and images are left out', () => {
  const sent = keepAnswered(named('upload'), { path: 'a.png', fileData: 'AAAABBBB' }, answer({}));
  expect(JSON.parse(sent.request)).toEqual({ path: 'a.png' });
  expect(sent.requestLacks).toBe('fileData (a file)');
  const shown = keepAnswered(named('image'), {}, answer({ image: 'AAAABBBB', width: 8 }));
  expect(JSON.parse(shown.answer)).toMatchObject({ data: { width: 8 } });
  expect(shown.answerLacks).toBe('data.image');
});

test('an answer with a file that is large, or no JSON, is left out whole', () => {
  const large = keepAnswered(named('image'), {}, answer({ image: 'A'.repeat(300_000) }));
  expect([large.answer, large.answerLacks]).toEqual(['', 'all of it (a file)']);
  const odd = keepAnswered(named('image'), {}, Buffer.from('{"data":{"image":"AAAA"'));
  expect([odd.answer, odd.answerLacks]).toEqual(['', 'all of it (it is not readable)']);
});

test('what is long is cut at 64 KiB, also within a character, and can be stored', () => {
  const kept = keepAnswered(
    named('plain'),
    { targetUuid: 'ü\0'.repeat(60_000) },
    answer({ text: 'ü'.repeat(60_000) }),
  );
  for (const [part, lacks] of [
    [kept.request, kept.requestLacks],
    [kept.answer, kept.answerLacks],
  ] as const) {
    expect(Buffer.byteLength(part)).toBeLessThanOrEqual(65_536 + 2);
    expect(part.isWellFormed() && !part.includes('\0')).toBe(true);
    expect(lacks).toBe('cut at 64 KiB');
  }
});

test('of a call that failed the request is kept, and the problem whole', () => {
  expect(keepFailed(named('plain'), { targetUuid: 'Actor.a' }, { code: 'client_offline' })).toEqual({
    request: '{"target":"Actor.a"}',
    requestLacks: '',
    answer: '{"code":"client_offline"}',
    answerLacks: '',
  });
  expect(keepFailed(named('plain'), undefined, { code: 'invalid_request' })).toMatchObject({
    request: '',
    requestLacks: 'not readable',
  });
});

test('beside a document with a script, a field that is null is kept', () => {
  const update = allOperations.find(({ name }) => name === 'update') as Operation;
  const macro = { uuid: 'Macro.a', data: { command: 'game.quit()' }, userId: null };
  expect(JSON.parse(keepAnswered(update, macro, answer({})).request)).toEqual({
    uuid: 'Macro.a',
    userId: null,
  });
});

test('an answer from which nothing is taken is kept as it came', () => {
  const odd = keepAnswered(named('plain'), {}, Buffer.from('{ "data": broken'));
  expect([odd.answer, odd.answerLacks]).toEqual(['{ "data": broken', '']);
});

test.each([
  [{}, {}],
  [{ macros: null }, { macros: null }],
  [{ macros: 'text' }, { macros: 'text' }],
  [{ macros: [] }, { macros: [] }],
  [{ macros: [{ id: 1 }, null] }, { macros: [{ id: 1 }, null] }],
])('of the answer %j nothing is missing', (data, kept) => {
  const { answer: text, answerLacks } = keepAnswered(named('secretive'), {}, answer(data));
  expect([(JSON.parse(text) as { data: object }).data, answerLacks]).toEqual([kept, '']);
});

test('a field that only some elements of a list have is left out of these', () => {
  const data = { macros: [{ id: 1 }, { id: 2, command: 'game.quit()' }] };
  const kept = keepAnswered(named('secretive'), {}, answer(data));
  expect(JSON.parse(kept.answer)).toMatchObject({ data: { macros: [{ id: 1 }, { id: 2 }] } });
  expect([kept.answer.includes('quit'), kept.answerLacks]).toEqual([false, 'data.macros.command']);
});

test('what is as long as the bounds is kept whole, and parsed', () => {
  const fit = (bytes: number, data: (pad: string) => object) =>
    answer(data('x'.repeat(bytes - answer(data('')).length)));
  const whole = keepAnswered(
    named('plain'),
    {},
    fit(65_536, (text) => ({ text })),
  );
  expect([whole.answer.length, whole.answerLacks]).toEqual([65_536, '']);
  const parsed = keepAnswered(
    named('image'),
    {},
    fit(262_144, (image) => ({ image })),
  );
  expect(parsed.answerLacks).toBe('data.image');
});
