import { describe, expect, expectTypeOf, test } from 'vitest';
import { apiKeyEndpoints } from '../endpoints/keys/api-keys.ts';
import { connectionTokenEndpoints } from '../endpoints/worlds/connection-tokens.ts';
import { auditEvents } from './audit-events.ts';
import type { AuditEvent } from './audit-events.ts';
import type { AuditRecordOf } from './audit-record.ts';
import { auditWords, textOf } from './audit-words.ts';

const done = { outcome: 'ok', detail: {} };

describe('every event', () => {
  test.each(Object.entries<AuditEvent>(auditEvents))(
    '%s has a sentence that fills in from its detail',
    (name, { sentence, detail }) => {
      const values = Object.fromEntries(Object.keys(detail).map((field) => [field, `<${field}>`]));
      const words = auditWords({ event: name.replace('*', 'scene_changed'), outcome: 'ok', detail: values });
      expect(words.sentence).not.toContain('?');
      for (const [placeholder, field] of sentence.matchAll(/\{(\w+)\}/g))
        expect(words.sentence, placeholder).toContain(field === 'event' ? 'scene changed' : `<${field}>`);
    },
  );
});

test('a change records the fields that its request may change, and no others', () => {
  const fieldsOf = (event: keyof typeof auditEvents) => Object.keys(auditEvents[event].detail).toSorted();
  expect(fieldsOf('api_key.changed')).toEqual(
    Object.keys(apiKeyEndpoints.updateApiKey.body.properties).toSorted(),
  );
  expect(fieldsOf('connection_token.changed')).toEqual(
    Object.keys(connectionTokenEndpoints.updateConnectionToken.body.properties).toSorted(),
  );
});

test('a notice of a module is shown by its name', () => {
  expect(auditWords({ ...done, event: 'module.scene_changed' })).toEqual({
    tone: 'off',
    word: 'Reported',
    sentence: 'The module reports: scene changed.',
  });
});

test.each([
  ['key_request.lost', 'Key request: lost.'],
  ['constructor', 'Constructor.'],
  ['', '.'],
])('the undeclared event %j is shown by its name', (event, sentence) => {
  expect(auditWords({ ...done, event })).toMatchObject({ tone: 'off', sentence });
});

test('an event that asks for no attention is marked with what it is about', () => {
  expect(auditWords({ ...done, event: 'session.started' })).toMatchObject({ tone: 'off', word: 'Sign-in' });
  expect(auditWords({ ...done, event: 'key_request.lost' })).toMatchObject({ tone: 'off', word: 'Noted' });
});

test('an event that was refused never reads as carried out', () => {
  expect(auditWords({ event: 'session.started', outcome: 'refused', detail: {} })).toMatchObject({
    tone: 'bad',
    word: 'Refused',
  });
});

test('a list and a number of the detail are read as text, and one that is missing as a question mark', () => {
  const dropped = { ...done, event: 'records.dropped' };
  expect(auditWords({ ...dropped, detail: { count: 12 } }).sentence).toMatch(/^12 entries/);
  expect(auditWords(dropped).sentence).toMatch(/^\? entries/);
});

test.each([
  [['a', 'b'], 'a, b'],
  [null, ''],
  [undefined, ''],
  ['plain', 'plain'],
  [12, '12'],
  [{ of: 1 }, '{"of":1}'],
])('the detail %j reads as "%s"', (value, text) => {
  expect(textOf(value)).toBe(text);
});

test('a record is what its event declares: who acted where several may, and the detail with its types', () => {
  expectTypeOf<{ event: 'api_key.revoked'; actor: 'relay'; detail: { why: string } }>().toExtend<
    AuditRecordOf<'api_key.revoked'>
  >();
  expectTypeOf<{ event: 'api_key.revoked' }>().not.toExtend<AuditRecordOf<'api_key.revoked'>>();
  expectTypeOf<{ event: 'session.started' }>().toExtend<AuditRecordOf<'session.started'>>();
  expectTypeOf<{ event: 'api_key.created'; detail: { name: string } }>().not.toExtend<
    AuditRecordOf<'api_key.created'>
  >();
  expectTypeOf<{ event: 'module.anything' }>().toExtend<AuditRecordOf<'module.*'>>();
});
