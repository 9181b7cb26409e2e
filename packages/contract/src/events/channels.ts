import { actorChannel } from './channels/actor.ts';
import { chatChannel } from './channels/chat.ts';
import { combatChannel } from './channels/combat.ts';
import { hooksChannel } from './channels/hooks.ts';
import { rollsChannel } from './channels/rolls.ts';
import { sceneChannel } from './channels/scene.ts';
import type { ChannelDefinition, ChannelDefinitions, FiltersOf, SentData } from './channel-definition.ts';

/** Every kind of events that callers can follow. Adding one is one literal here. */
export const channels = {
  hooks: hooksChannel,
  combat: combatChannel,
  actor: actorChannel,
  scene: sceneChannel,
  chat: chatChannel,
  rolls: rollsChannel,
} as const satisfies ChannelDefinitions;

export type Channel = keyof typeof channels;

export const channelNames = Object.keys(channels) as Channel[];

/** The data of each channel's events as the module sends it. */
export type ChannelData = { [C in Channel]: SentData<(typeof channels)[C]['data']> };

/** The filters of each channel's stream. */
export type ChannelFilters = { [C in Channel]: FiltersOf<(typeof channels)[C]['filters']> };

/** The names of the events that are known of a channel; modules may send others. */
export type ChannelEventNames = { [C in Channel]: keyof (typeof channels)[C]['events'] };

/** The name of an event on its stream; undefined where the data does not have it. */
export function eventNameOf(
  { named: { prefix, field } }: Pick<ChannelDefinition, 'named'>,
  data: Readonly<Record<string, unknown>>,
): string | undefined {
  if (field === undefined) return prefix;
  const name = Object.hasOwn(data, field) ? data[field] : undefined;
  return typeof name === 'string' ? prefix + name : undefined;
}
