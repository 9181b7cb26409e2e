import { channels, narrows } from '@tabletop-relay/contract';
import type { ChannelDefinition } from '@tabletop-relay/contract';
import { describe, expect, test } from 'vitest';
import { ProblemError } from '../problem.ts';
import { queryOf, readFilters } from './read-filters.ts';

const definitions = Object.entries<ChannelDefinition>(channels);

/** The fields that a query is refused for; none where it is taken. */
function refusedFields(channel: ChannelDefinition, query: object): string[] {
  try {
    readFilters(channel, query);
    return [];
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return (error.fields.errors ?? []).map(({ field }) => field);
  }
}

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

describe.each(definitions)('the stream of %s', (_name, channel) => {
  const own = Object.entries(channel.filters).flatMap(([name, { alias }]) => [name, alias ?? name]);
  const known = ['clientId', ...own];

  test('takes no name that narrows, in no spelling, but its own', () => {
    const spellings = narrows.flatMap((name) => [
      name,
      name.toUpperCase(),
      snake(name),
      `${name}[]`,
      `${name}[0]`,
    ]);
    const taken = spellings.filter((name) => refusedFields(channel, { [name]: 'x' }).length === 0);
    expect(taken.filter((name) => !known.includes(name))).toEqual([]);
    expect(taken).toContain('clientId');
  });

  test('refuses a near miss of its filters, which would let more pass', () => {
    const misses = own
      .filter((name) => name.length > 4)
      .flatMap((name) => [snake(name), name.toUpperCase(), `${name}s`, name.slice(0, -1), `${name}[]`])
      .filter((miss) => !known.includes(miss));
    for (const miss of misses) expect(refusedFields(channel, { [miss]: '1' })).toEqual([miss]);
  });

  test('names what it does not know, and follows all the same', () => {
    const query = { _: '123', format: 'json', zzz: 'x' };
    expect(readFilters(channel, query)).toEqual({ filters: {}, ignored: Object.keys(query) });
    for (const name of ['toString', 'constructor', '__proto__', 'last-event-id', 'LastEventId'])
      expect(refusedFields(channel, JSON.parse(`{"${name}":"x"}`) as object)).toEqual([name]);
  });
});

test.each([
  ['an object', { speaker: {} }],
  ['an object that is no text', { speaker: { toString: 1, valueOf: 1 } }],
  ['nothing', { speaker: null }],
  ['a list of lists', { speaker: [['a']] }],
])('a filter that came as JSON is no text where it is %s', (_what, filters) => {
  expect(() => queryOf(filters, undefined)).toThrow(
    expect.objectContaining({ code: 'invalid_request', fields: expect.objectContaining({ errors: [expect.objectContaining({ field: 'speaker' })] }) as object }) as Error,
  ); // prettier-ignore
});

test('filters that came as JSON are those of a query', () => {
  const filters = { speaker: 'Mira', round: 3, whisperOnly: true, hooks: ['a', 'b'] };
  expect(queryOf(filters, 'world')).toEqual({
    speaker: 'Mira', round: '3', whisperOnly: 'true', hooks: 'a,b', clientId: 'world',
  }); // prettier-ignore
});
