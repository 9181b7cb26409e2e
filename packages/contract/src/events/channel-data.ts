import { Type } from 'typebox';
import type { Static } from 'typebox';

const change = Type.Object({ eventType: Type.String() }, { additionalProperties: true });

/** The data of each channel's events. Modules may send more fields, and listeners get them. */
export const channelData = {
  hooks: Type.Object(
    { hook: Type.String(), args: Type.Array(Type.Unknown()) },
    { additionalProperties: true },
  ),
  combat: change,
  actor: change,
  scene: change,
} as const;

export type ChannelData = {
  [C in keyof typeof channelData]: Static<(typeof channelData)[C]> & { [field: string]: unknown };
};
