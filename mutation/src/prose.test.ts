import { expect, test } from 'vitest';
import { reasonToIgnore } from './prose.ts';

const template = (...raws: string[]) => ({
  type: 'TemplateLiteral',
  quasis: raws.map((raw) => ({ value: { raw } })),
});

test.each([
  [{ type: 'StringLiteral', value: 'The world moves. Repeat the call.' }],
  [template('No world ', ' that this key may reach.')],
  [{ type: 'CallExpression', callee: { object: { type: 'Identifier', name: 'log' } } }],
  [{ type: 'CallExpression', callee: { object: { type: 'MemberExpression', property: { name: 'log' } } } }],
  [{ type: 'ExpressionStatement', expression: { callee: { object: { name: 'log' } } } }],
  [{ type: 'ObjectExpression', properties: [{ key: { name: 'cause' } }] }],
  [
    {
      type: 'AssignmentExpression',
      left: { object: { type: 'ThisExpression' }, property: { name: 'name' } },
    },
  ],
])('%j is left out: nothing but people reads it', (node) => {
  expect(reasonToIgnore({ node })).toMatch(/^a /);
});

test.each([
  [{ type: 'StringLiteral', value: 'frozen' }],
  [{ type: 'StringLiteral', value: 'x-api-key' }],
  [template('', '-result')],
  [{ type: 'CallExpression', callee: { object: { type: 'Identifier', name: 'calls' } } }],
  [{ type: 'CallExpression', callee: { object: { type: 'MemberExpression', property: { name: 'calls' } } } }],
  [{ type: 'CallExpression', callee: {} }],
  [{ type: 'ExpressionStatement', expression: {} }],
  [{ type: 'ObjectExpression', properties: [{ key: { name: 'cause' } }, { key: { name: 'status' } }] }],
  [
    {
      type: 'AssignmentExpression',
      left: { object: { type: 'ThisExpression' }, property: { name: 'state' } },
    },
  ],
])('%j is mutated', (node) => {
  expect(reasonToIgnore({ node })).toBeUndefined();
});
