import { Value } from 'typebox/value';
import { describe, expect, it, test } from 'vitest';
import { expandPath } from '../src/aliases.ts';
import { operations } from '../src/operations/index.ts';
import { resultSchema, wireNameOf } from '../src/operations/operation.ts';
import { commandFields } from '../src/parameters/read-parameters.ts';
import type { Operation } from '../src/operations/operation.ts';
import type { WorldMetadata } from '../src/world.ts';
import { fieldsOf, namedFields } from './module-facts/compare-fields.ts';
import { moduleFacts } from './module-facts/index.ts';
import { answersOf } from './module-facts/module-fact.ts';
import type { ModuleFact } from './module-facts/module-fact.ts';
import { theirCalls } from './other-relay/their-calls.ts';

const rows = operations.flatMap((operation) => {
  const fact = moduleFacts[operation.name];
  return fact ? [{ operation, fact }] : [];
});

function expandCall(call: string): string {
  const [method, path = ''] = call.split(' ');
  return `${method} ${expandPath(path)}`;
}

test('every operation that today’s module knows is looked at', () => {
  const places = Object.keys(theirCalls).map(expandCall);
  const known = operations
    .filter((one) => places.includes(`${one.method} ${one.path}`))
    .map(({ name }) => name);
  expect(known).toHaveLength(places.length);
  known.sort();
  expect(Object.keys(moduleFacts).toSorted()).toEqual(known);
  expect(rows.map(({ operation }) => operation.name).toSorted()).toEqual(known);
});

/** Parameters that other modules read, though today’s does not. The operation’s page says so. */
const sentUnread: Record<string, string[]> = {
  'get-concentration': ['selected'],
  'break-concentration': ['selected'],
  'use-spell': ['level'],
  'download-file': ['source'],
};

/** Fields that no caller of ours can fill: other names of one that is sent, and one that is only echoed. */
const readUnsent: Record<string, string[]> = {
  'modify-currency': ['actorUuid'],
  'prepare-spell': ['actorUuid', 'spellName'],
  structure: ['type'],
  search: ['clientId'],
};

/** Result fields that today’s module does not give: absent, or added by the relay, or given by other modules. */
const neverGiven: Record<string, string[]> = {
  'death-save': ['data.stable', 'data.healed'],
  'concentration-save': ['data.isConcentrating'],
  'use-ability': ['data.result'],
  'use-feature': ['data.result'],
  'use-spell': ['data.result'],
  'use-item': ['data.result'],
  'world-info': ['data.tabletopVersion'],
};

const world = { tabletopVersion: '13.348' } as WorldMetadata;

function faultsOf(operation: Operation, answer: Record<string, unknown>): unknown[] {
  const frame = { type: `${operation.name}-result`, requestId: 'x', ...answer };
  return Value.Errors(resultSchema(operation), operation.adaptResult?.(frame, world) ?? frame);
}

/** The fields of a command in which every parameter is given. */
function sentFields(operation: Operation): string[] {
  const names = Object.entries(operation.parameters).map(([name, schema]) => wireNameOf(name, schema));
  const all = Object.fromEntries(names.map((name) => [name, 'tokens']));
  return Object.keys(commandFields(operation, all, { scopes: [] }));
}

const readFields = ({ reads }: ModuleFact) => reads.split(' ').flatMap((name) => name.replace('?', '') || []);

describe.each(rows)('$operation.name', ({ operation, fact }) => {
  const { name } = operation;

  it('has the place and at least the time of the other relay', () => {
    const place = expandCall(fact.http).replaceAll(/\{(\w+)\}/g, ':$1');
    expect(`${operation.method} ${operation.path}`).toBe(place);
    expect(operation.timeoutMs).toBeGreaterThanOrEqual(fact.timeoutS * 1000);
  });

  it('sends the fields that today’s module reads, and no other without a word', () => {
    const sent = sentFields(operation);
    const read = readFields(fact);
    const unread = sent.filter((field) => !read.includes(field));
    expect(unread).toEqual(sentUnread[name] ?? []);
    for (const field of unread) expect(operation.description).toContain(`\`${field}\``);
    expect(read.filter((field) => !sent.includes(field))).toEqual(readUnsent[name] ?? []);
  });

  it.each(answersOf(fact))('answers as its document says: $what', ({ answer }) => {
    expect(faultsOf(operation, answer)).toEqual([]);
  });

  it('has a document that names each field of the answers, and no field that never comes', () => {
    const { named, open } = namedFields(operation.result);
    const given = new Set(answersOf(fact).flatMap(({ answer }) => fieldsOf(answer)));
    const isOpen = (path: string) => [...open].some((at) => path.startsWith(`${at}.`));
    expect([...given].filter((path) => !named.has(path) && !isOpen(path))).toEqual([]);
    expect([...named].filter((path) => !given.has(path))).toEqual(neverGiven[name] ?? []);
  });
});
