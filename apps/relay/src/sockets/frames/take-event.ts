import type { Streams } from '@tabletop-relay/cluster';
import { channels, eventNameOf, streamEvents, visibleToBounds } from '@tabletop-relay/contract';
import type { Channel, ChannelDefinition } from '@tabletop-relay/contract';
import type { RelayMetrics } from '../../metrics.ts';
import type { ClientSocket } from '../client-socket.ts';
import type { FrameRefusals } from './frame-refusals.ts';

export interface TakeEventDeps {
  streams: Pick<Streams, 'append' | 'appendGap' | 'isWanted'>;
  metrics: RelayMetrics;
  refuse: FrameRefusals['refuse'];
  now?: () => number;
}

/** Takes a module's event and hands it to the listeners of its channel. One that nobody listens to is dropped. */
export interface TakeEvent {
  (socket: ClientSocket, type: string, frame: Record<string, unknown>): void;
  /** An event that is too large to be taken: its listeners are told. */
  tooLarge(socket: ClientSocket, channel: Channel): void;
}

const byFrame = new Map<string | undefined, Channel>(
  Object.entries<ChannelDefinition>(channels).map(([name, { frame }]) => [frame, name as Channel]),
);

/** The channel whose events come in frames of this type. */
export function channelOfFrame(type: string | undefined): Channel | undefined {
  return byFrame.get(type);
}

export function createTakeEvent({ streams, metrics, refuse, now = Date.now }: TakeEventDeps): TakeEvent {
  function takeEvent(socket: ClientSocket, type: string, frame: Record<string, unknown>): void {
    const channel = channelOfFrame(type);
    if (!channel || !streams.isWanted(socket.conn, channel)) return;
    const { data } = frame;
    const name = isObject(data) ? eventNameOf(channels[channel], data) : undefined;
    if (!isObject(data) || name === undefined || !mayBeName(name))
      return refuse(socket, 'bad_event', { type });
    const dropped = frame['dropped'];
    if (isCount(dropped)) {
      streams.appendGap(socket.conn, channel, dropped);
      metrics.eventsDropped.labels('module').inc(dropped);
    }
    const facts = { clientId: socket.identity.clientId, channel, timestamp: now() };
    // What is not in the frame itself says nothing of who may see it. The facts stand first, and their values are the relay's also where the module sends fields of these names.
    const visibleTo = readUsers(frame['visibleTo']);
    const text = JSON.stringify({ ...facts, ...data, ...facts, visibleTo });
    streams.append(socket.conn, channel, Buffer.from(`event: ${name}\ndata: ${text}\n\n`));
    metrics.eventsTaken.labels(channel).inc();
  }

  return Object.assign(takeEvent, {
    tooLarge(socket: ClientSocket, channel: Channel) {
      streams.appendGap(socket.conn, channel);
      metrics.eventsDropped.labels('too_large').inc();
    },
  });
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 1e9;

/** What is meant to narrow and cannot be read is for nobody, else the relay would judge by the message and tell more. */
const readUsers = (value: unknown): string[] | undefined =>
  value === undefined || isUserList(value) ? value : [];

const isUserList = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length <= visibleToBounds.users &&
  value.every((one) => typeof one === 'string' && one.length <= visibleToBounds.idLength);

const maxNameLength = 200;

/** Line breaks would end the name on the stream, and the relay's own events must not be imitated. */
function mayBeName(name: string): boolean {
  return (
    name !== '' &&
    name.length <= maxNameLength &&
    !/[\r\n\0]/.test(name) &&
    !Object.hasOwn(streamEvents, name)
  );
}
