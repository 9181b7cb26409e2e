import { describe, expect, test } from 'vitest';
import { repeatData } from './repeat-data.ts';

const facts = { clientId: 'a', timestamp: 7 };

describe('the data of an event', () => {
  test.each(['hooks', 'combat', 'actor', 'scene', 'rolls'] as const)(
    'of %s stands once more under data, without what the relay says',
    (channel) => {
      const sent = { eventType: 'update', changes: { a: 1 } };
      const data = { ...facts, channel, ...sent };
      expect(repeatData(channel, data)).toEqual({ ...data, data: sent });
    },
  );

  test.each([[null], [0], [{ a: 1 }], ['text']])('is left alone that has a data of its own: %j', (own) => {
    const data = { ...facts, channel: 'rolls', data: own };
    expect(repeatData('rolls', data)).toBe(data);
  });

  test('of chat has the message’s fields beside it, which replace none', () => {
    const message = { id: 'm', content: 'Hi', eventType: 'forged', clientId: 'b', data: 'c', timestamp: 0 };
    const data = { ...facts, channel: 'chat', eventType: 'create', data: message };
    expect(repeatData('chat', data)).toEqual({ ...data, id: 'm', content: 'Hi' });
  });

  test.each([[undefined], [null], ['text'], [['a']]])('of chat whose data is %j stays as it is', (own) => {
    const data = { ...facts, channel: 'chat', eventType: 'create', data: own };
    expect(repeatData('chat', data)).toBe(data);
  });

  test('named as what every object inherits is a field like others', () => {
    const sent = JSON.parse('{"__proto__":{"a":1},"constructor":2}') as Record<string, unknown>;
    const { data } = repeatData('hooks', { ...facts, ...sent });
    expect(JSON.stringify(data)).toBe('{"__proto__":{"a":1},"constructor":2}');
  });
});
