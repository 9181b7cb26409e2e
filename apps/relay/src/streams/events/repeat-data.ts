import { channels, eventFacts } from '@tabletop-relay/contract';
import type { Channel, ChannelDefinition } from '@tabletop-relay/contract';

type Data = Readonly<Record<string, unknown>>;

/** The data of a module's event with what programs of another relay look for, as its channel says. It replaces nothing. */
export function repeatData(channel: Channel, data: Data): Data {
  const { repeated }: ChannelDefinition = channels[channel];
  if (repeated === 'flat') return isObject(data['data']) ? { ...data, ...data['data'], ...data } : data;
  return Object.hasOwn(data, 'data') ? data : { ...data, data: sentBy(data) };
}

/** What the module sent, without what the relay put beside it. */
function sentBy(data: Data): Data {
  return Object.fromEntries(Object.entries(data).filter(([name]) => !Object.hasOwn(eventFacts, name)));
}

const isObject = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
