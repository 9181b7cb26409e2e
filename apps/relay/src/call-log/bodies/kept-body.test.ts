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
    effect: 'changes',
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
    effect: 'changes',
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

test.each([
  ['is too long to be looked through', answer({ text: 'A'.repeat(300_000) }), 'too long'],
  ['is no JSON', Buffer.from('{"data":{"text":"AAAA"'), 'not readable'],
  ['is nested without end', Buffer.from('['.repeat(100_000) + ']'.repeat(100_000)), 'not readable'],
])('an answer that %s is left out whole', (_what, odd, why) => {
  const kept = keepAnswered(named('plain'), {}, odd);
  expect([kept.answer, kept.answerLacks]).toEqual(['', expect.stringMatching(`^all of it \\(.*${why}`)]);
});

test('a field that stands twice is kept as it is read', () => {
  const twice = Buffer.from('{"data":{"password":"hunter2","password":null}}');
  expect(keepAnswered(named('plain'), {}, twice)).toMatchObject({ answer: '{"data":{"password":null}}' });
});

test('secrets by their name are left out at any depth, and named', () => {
  const document = { system: [{ apiKey: 'hunter2', hp: 3, secret: false }], access_token: 'hunter2' };
  const kept = keepAnswered(named('plain'), { targetUuid: { document } }, answer(document));
  expect(JSON.stringify(kept)).not.toContain('hunter2');
  expect(JSON.parse(kept.request)).toEqual({ target: { document: { system: [{ hp: 3, secret: false }] } } });
  const lacks = 'apiKey (a secret), access_token (a secret)';
  expect([kept.requestLacks, kept.answerLacks]).toEqual([lacks, lacks]);
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`key_${index}`, 'x']));
  expect(keepAnswered(named('plain'), {}, answer(many)).answerLacks).toMatch(/^key_0 .*, 2 more secrets$/);
});

const contracted = (name: string) => allOperations.find((one) => one.name === name) as Operation;

test.each([
  ['a user', { uuid: 'User.ben' }],
  ['a setting', { uuid: 'Setting.a' }],
  ['a kind that is a user', { entityType: 'user' }],
])('of %s nothing is kept that stands in its data or answer', (_what, target) => {
  const wire = { ...target, data: { untold: 'hunter2' } };
  const kept = keepAnswered(contracted('update'), wire, answer({ untold: 'hunter2' }));
  expect(JSON.parse(kept.request)).toEqual(target);
  expect(kept).toMatchObject({ answer: '', answerLacks: 'all of it (a secret)' });
  expect(kept.requestLacks).toMatch(/^data \(a (?:secret|script)\)$/);
});

test.each(['macro-execute', 'execute-js'])(
  'of the answer of %s, which is marked, nothing is kept',
  (name) => {
    const kept = keepAnswered(contracted(name), {}, answer({ result: 'hunter2' }));
    expect([kept.answer, kept.answerLacks]).toEqual(['', 'all of it (a secret)']);
  },
);

test('a refusal in the words of a world is not kept where they may repeat a secret', () => {
  const refusal = { code: 'operation_failed', detail: 'hunter2 is too short' };
  expect(keepFailed(contracted('create-user'), {}, refusal)).toMatchObject({
    answer: '',
    answerLacks: 'all of it (a secret)',
  });
  expect(keepFailed(contracted('give'), {}, refusal).answer).toContain('hunter2');
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
