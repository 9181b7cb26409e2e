import type { Streams } from '@tabletop-relay/cluster';
import { channels } from '@tabletop-relay/contract';
import type { Channel, RelayFrame } from '@tabletop-relay/contract';
import type { Logger } from 'pino';
import type { CredentialFeed } from '../../credentials/changes/credential-feed.ts';
import type { MayReadRolls } from '../../keys/may-read-rolls.ts';
import type { ClientSocket } from '../client-socket.ts';
import type { ConnectedClients } from '../connected-clients.ts';
import { createRollsCount } from './keep-rolls.ts';

export interface TellListenersDeps {
  streams: Pick<Streams, 'onListeners'>;
  clients: Pick<ConnectedClients, 'byConn' | 'byAccount'>;
  feed: Pick<CredentialFeed, 'subscribe'>;
  mayReadRolls: MayReadRolls;
  log: Logger;
}

/** Tells modules which of their channels somebody listens to, so that they send nothing in vain. Returns what ends it. */
export function tellListeners({ streams, clients, feed, mayReadRolls, log }: TellListenersDeps): () => void {
  const tell = (socket: ClientSocket, channel: Channel, count: number): void => {
    const { wire } = channels[channel];
    const frame: RelayFrame = { type: 'event-subscription-update', channel: wire, count };
    // Sent whatever waits already: it comes only once for each change, and a module that missed it would stay silent.
    if (socket.isOpen) socket.sendText(JSON.stringify(frame));
  };
  const rolls = createRollsCount({
    mayReadRolls,
    tell: (socket, count) => tell(socket, 'rolls', count),
    log,
  });
  const stopHearing = streams.onListeners(({ conn, channel, count }) => {
    const socket = clients.byConn(conn);
    if (!socket) return;
    if (channel === 'rolls') rolls.setListeners(socket, count);
    else tell(socket, channel as Channel, count);
  });
  const stopFeed = feed.subscribe('key', (event) => {
    for (const socket of clients.byAccount(event.accountId)) rolls.look(socket);
  });
  return () => {
    stopHearing();
    stopFeed();
    rolls.stop();
  };
}
