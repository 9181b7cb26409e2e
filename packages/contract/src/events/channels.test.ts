import { Compile } from 'typebox/compile';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { channelData } from './channel-data.ts';
import type { ChannelDefinition } from './channel-definition.ts';
import { channelNames, channels, eventNameOf } from './channels.ts';
import type { ChannelFilters } from './channels.ts';
import { streamEvents } from './stream-events.ts';
import type { ListenedData } from './stream-events.ts';

const definitions = Object.entries<ChannelDefinition>(channels);

describe.each(definitions)('the channel %s', (name, channel) => {
  test('has an example that fits its own types and is one of its events', () => {
    expect(Compile(channelData[name as keyof typeof channelData]).Check(channel.example)).toBe(true);
    expect(Object.keys(channel.events)).toContain(eventNameOf(channel, channel.example));
  });

  test('has filters that its example can pass', () => {
    for (const { matches, exempt = [] } of Object.values(channel.filters)) {
      expect(matches.some((path) => valueAt(channel.example, path) !== undefined)).toBe(true);
      expect(Object.keys(channel.events)).toEqual(expect.arrayContaining([...exempt]));
    }
  });

  test('has no event that could be taken for one of the relay’s own', () => {
    const own = Object.keys(streamEvents);
    expect(Object.keys(channel.events).filter((event) => own.includes(event))).toEqual([]);
  });
});

test.each(['path', 'frame', 'wire'] as const)('no two channels share a %s', (field) => {
  const used = definitions.map(([, channel]) => channel[field]);
  expect(new Set(used).size).toBe(channelNames.length);
});

test('an event without the text that names it has no name', () => {
  expect(eventNameOf(channels.combat, { eventType: 'turn' })).toBe('combat-turn');
  expect(eventNameOf(channels.rolls, {})).toBe('roll');
  expect(eventNameOf(channels.combat, { eventType: 3 })).toBeUndefined();
  expect(eventNameOf(channels.hooks, {})).toBeUndefined();
  // A field that every object inherits is not the module's.
  expect(eventNameOf({ named: { prefix: '', field: 'constructor' } }, {})).toBeUndefined();
});

test('the types of filters and data are those of the literal', () => {
  expectTypeOf<ChannelFilters['actor']>().toExtend<{ actorUuid?: string | undefined }>();
  expectTypeOf<ChannelFilters['chat']['whisperOnly']>().toEqualTypeOf<boolean | undefined>();
  expectTypeOf<ChannelFilters['hooks']['hooks']>().toEqualTypeOf<readonly string[] | undefined>();
  expectTypeOf<ListenedData<'combat'>['encounterId']>().toEqualTypeOf<string>();
  expectTypeOf<ListenedData<'rolls'>['timestamp']>().toExtend<number>();
  // @ts-expect-error: the filter of another channel
  void ({ sceneId: 'chapel' } satisfies ChannelFilters['combat']);
});

function valueAt(data: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], data);
}
