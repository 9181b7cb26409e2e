import { expect, it, test } from 'vitest';
import { operations } from '../operations/index.ts';
import { needsKeyByHand, assistantPresets, ownTools, tableOperations } from './surfaces.ts';
import { toolNameOf, toolOf } from './tools.ts';

const fixed = { world: false, user: false };

test('no two tools have one name, and every assistant takes it', () => {
  const names = [...ownTools, ...operations.map(({ name }) => toolNameOf(name))];
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z0-9_]{1,64}$/);
});

test('the table has at most 21 tools of its own, with the events', () => {
  expect(tableOperations.length + 1).toBeLessThanOrEqual(21);
});

it.each(assistantPresets)(
  'the preset $name holds nothing that reaches beyond the rules',
  ({ name, scopes }) => {
    const held: readonly string[] = scopes;
    expect(scopes.filter(needsKeyByHand)).toEqual([]);
    expect(held).not.toContain('session:manage');
    expect(held.includes('chat:read') || held.includes('events:subscribe')).toBe(name === 'Listen in');
  },
);

test('schemas hold nothing but JSON Schema that assistants know', () => {
  const known = new Set([
    'type', 'properties', 'required', 'description', 'enum', 'const', 'items', 'default', 'minimum', 'maximum', 'anyOf',
    'minItems', 'maxItems', 'patternProperties', 'additionalProperties', 'pattern', 'uniqueItems', 'format', 'not',
    'minProperties', 'exclusiveMinimum', 'exclusiveMaximum', 'propertyNames', 'maxProperties',
  ]); // prettier-ignore
  const unknown = new Set<string>();
  const walk = (schema: unknown): void => {
    if (Array.isArray(schema)) return schema.forEach(walk);
    if (typeof schema !== 'object' || schema === null) return;
    for (const [name, value] of Object.entries(schema)) {
      if (!known.has(name)) unknown.add(name);
      if (name === 'properties' || name === 'patternProperties') Object.values(value as object).forEach(walk);
      else if (!['default', 'enum', 'const', 'required'].includes(name)) walk(value);
    }
  };
  for (const operation of operations) {
    const { inputSchema } = toolOf(operation, fixed);
    walk(inputSchema);
    // Some programs refuse them at the top.
    expect(Object.keys(inputSchema).filter((name) => /^(?:any|one|all)Of$/.test(name))).toEqual([]);
  }
  expect([...unknown]).toEqual([]);
});
