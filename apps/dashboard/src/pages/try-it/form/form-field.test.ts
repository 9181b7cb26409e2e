import { operations, pathParameters, readParameters } from '@tabletop-relay/contract';
import type { Operation } from '@tabletop-relay/contract';
import { Type } from 'typebox';
import type { TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';
import { requestOf } from '../code/api-call.ts';
import { readForm, startForm } from './call-form.ts';
import { draftOf, fieldsOf, valueOf } from './form-field.ts';
import type { FormField } from './form-field.ts';

const find = (name: string) => {
  const operation = operations.find((one) => one.name === name);
  if (!operation) throw new Error(`no ${name}`);
  return operation;
};
const field = (operation: string, name: string): FormField => {
  const found = fieldsOf(find(operation)).find((one) => one.name === name);
  if (!found) throw new Error(`no ${name}`);
  return found;
};

/** The values of an operation's parameters in a path. */
function pathValues(operation: Operation, pathname: string): Record<string, string> {
  const pattern = new RegExp(`^${operation.path.replaceAll(/:\w+/g, '([^/]+)')}$`);
  const [, ...values] = pattern.exec(pathname) ?? [];
  return Object.fromEntries(
    pathParameters(operation).map((name, index) => [name, decodeURIComponent(values[index] ?? '')]),
  );
}

/** The parameters with what the relay assumes where they say nothing. */
function inFull(operation: Operation, parameters: object): object {
  const assumed = fieldsOf(operation).flatMap(({ name, kind, default: fallback }) =>
    kind === 'flag' || fallback !== undefined ? [[name, fallback ?? false] as const] : [],
  );
  return { ...Object.fromEntries(assumed), ...parameters };
}

describe.each(operations.map((operation) => [operation.name, operation] as const))(
  '%s',
  (_name, operation) => {
    test('its form begins with the example, and sends what means the same', () => {
      const { parameters, badField } = readForm(startForm(operation, operation.example.parameters));
      expect(badField).toBeUndefined();
      expect(inFull(operation, parameters)).toEqual(inFull(operation, operation.example.parameters));
    });

    test('the relay takes what the form sends', () => {
      const call = {
        ...readForm(startForm(operation, operation.example.parameters)),
        operation,
        clientId: 'c1',
      };
      const { path, body } = requestOf(call);
      const { pathname, searchParams } = new URL(path, 'http://relay');
      const source = { path: pathValues(operation, pathname), query: Object.fromEntries(searchParams), body };
      const reading = readParameters(operation, source);
      expect(reading).not.toHaveProperty('errors');
    });
  },
);

test('what must be given comes first and is marked', () => {
  expect(fieldsOf(find('skill-check')).map(({ name, isRequired }) => [name, isRequired])).toEqual([
    ['actorUuid', true],
    ['skill', true],
    ['advantage', false],
    ['disadvantage', false],
    ['bonus', false],
    ['createChatMessage', false],
  ]);
});

test('each kind of schema has its input', () => {
  const kinds = [
    field('skill-check', 'actorUuid'),
    field('skill-check', 'skill'),
    field('skill-check', 'advantage'),
    field('concentration-save', 'damage'),
    field('get-actor-details', 'details'),
    field('start-encounter', 'tokens'),
    field('transfer-currency', 'currency'),
    field('select', 'data'),
  ].map(({ kind }) => kind);
  expect(kinds).toEqual(['text', 'choice', 'flag', 'number', 'choices', 'lines', 'amounts', 'json']);
});

test('an object is entered as amounts where all in it are numbers, and else as JSON', () => {
  const kindOf = (schema: TSchema) => fieldsOf({ parameters: { given: schema } })[0]?.kind;
  expect(kindOf(Type.Object({ x: Type.Number(), y: Type.Integer() }))).toBe('amounts');
  expect(kindOf(Type.Object({ x: Type.Number(), label: Type.String() }))).toBe('json');
});

test('a tick that says what the relay assumes anyway is not sent; one that differs is', () => {
  const chat = field('skill-check', 'createChatMessage');
  expect(draftOf(chat, undefined)).toBe(true);
  expect(valueOf(chat, true)).toBeUndefined();
  expect(valueOf(chat, false)).toBe(false);
  expect(valueOf(field('skill-check', 'advantage'), false)).toBeUndefined();
  expect(valueOf(field('equip-item', 'equipped'), false)).toBe(false);
});

test('empty inputs are left out, and zero is not empty', () => {
  expect(valueOf(field('concentration-save', 'damage'), '')).toBeUndefined();
  expect(valueOf(field('concentration-save', 'damage'), '0')).toBe(0);
  expect(valueOf(field('start-encounter', 'tokens'), ' \n ')).toBeUndefined();
  expect(valueOf(field('start-encounter', 'tokens'), 'a\n\n b ')).toEqual(['a', 'b']);
  expect(valueOf(field('transfer-currency', 'currency'), { gp: '5', sp: '' })).toEqual({ gp: 5 });
});

test('text that is no JSON is named, and the rest is still read', () => {
  const form = startForm(find('select'));
  const reading = readForm({ ...form, drafts: { ...form.drafts, data: '{oops' } });
  expect(reading.badField).toBe('data');
  expect(reading.parameters).toMatchObject({ overwrite: true });
});
